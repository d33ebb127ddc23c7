using System.Globalization;

namespace Stout.Testing;

/// <summary>
/// A writer that makes keys and deletes them later, during a listing. Each key is made once and deleted once. The keys that a listing has to show
/// are those that were made before it began and whose deletion had not begun when it ended.
/// </summary>
/// <param name="number">The writer's number, part of its keys.</param>
/// <param name="make">Makes a key, which is durable when the task completes.</param>
/// <param name="delete">Deletes a key. The deletion is durable when the task completes.</param>
internal sealed class ComingAndGoing(int number, Func<string, Task> make, Func<string, Task> delete)
{
    private const int MostLasting = 3;

    private readonly Lock _lock = new();
    private readonly Queue<string> _lasting = [];
    private readonly List<string> _deleted = [];
    private readonly Random _random = new(number);
    private int _steps;

    /// <summary>Keys whose deletion was acknowledged.</summary>
    public IReadOnlyList<string> Deleted
    {
        get
        {
            lock (_lock)
                return [.. _deleted];
        }
    }

    /// <summary>Keys that were made, and whose deletion has not begun.</summary>
    private IReadOnlyList<string> Lasting
    {
        get
        {
            lock (_lock)
                return [.. _lasting];
        }
    }

    /// <summary>Makes a key, or deletes the oldest one if there are already <see cref="MostLasting"/>.</summary>
    public async Task StepAsync()
    {
        if (BeginDeletion() is { } going)
        {
            await delete(going);
            lock (_lock)
                _deleted.Add(going);
            return;
        }

        // The random number puts the key anywhere among the keys that no writer deletes.
        var key = string.Create(CultureInfo.InvariantCulture, $"key {_random.Next(30):00} of {number}, {++_steps}");
        await make(key);
        lock (_lock)
            _lasting.Enqueue(key);
    }

    /// <summary>Lists the keys once, and checks the list.</summary>
    /// <param name="writers">The writers that run during the listing.</param>
    /// <param name="others">Keys that no writer deletes.</param>
    /// <param name="list">Lists all keys: those of the writers, and the others.</param>
    public static async Task CheckAsync(IReadOnlyList<ComingAndGoing> writers, IReadOnlyList<string> others, Func<Task<IReadOnlyList<string>>> list)
    {
        var deletedBefore = writers.SelectMany(writer => writer.Deleted).ToHashSet();
        var madeBefore = writers.SelectMany(writer => writer.Lasting).ToList();

        var listed = await list();

        var lasting = madeBefore.Intersect(writers.SelectMany(writer => writer.Lasting));
        var times = listed.CountBy(key => key).ToDictionary();
        Assert.All(others.Concat(lasting), key => Assert.Equal((key, 1), (key, times.GetValueOrDefault(key))));
        Assert.DoesNotContain(listed, deletedBefore.Contains);
    }

    private string? BeginDeletion()
    {
        lock (_lock)
            return _lasting.Count < MostLasting ? null : _lasting.Dequeue();
    }
}
