using Orleans.Storage;

namespace Stout.Orleans.Chaos.Grains;

/// <summary>
/// The values that the grains of a silo write at their deactivation, and the errors that they get. Values that grains write before the silo begins to
/// leave are not kept.
/// </summary>
public sealed class EndSaves
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, EndSave> _saves = [];
    private bool _isLeaving;

    /// <summary>Notes that the silo leaves. From now on the saves of its grains are kept for the checks.</summary>
    public void Begin()
    {
        lock (_lock)
            _isLeaving = true;
    }

    /// <summary>
    /// Runs the save of a value, and notes the value with the save's error. If the save is still under way at the silo's end, the value must be in the
    /// store.
    /// </summary>
    public async Task RunAsync(string document, string value, Func<Task> save)
    {
        ArgumentNullException.ThrowIfNull(save);
        var one = new EndSave(document, value);
        Note(one);
        try
        {
            await save();
        }
        catch (Exception error)
        {
            // These two errors allow the value to be missing. After any other error, a missing value counts as lost.
            Note(one with { IsRefused = error is InconsistentStateException or GrainStateOutcomeUnknownException, Error = error.ToString() });
        }
    }

    /// <summary>The values with their errors.</summary>
    public IReadOnlyList<EndSave> All
    {
        get
        {
            lock (_lock)
                return [.. _saves.Values];
        }
    }

    private void Note(EndSave save)
    {
        lock (_lock)
        {
            if (_isLeaving)
                _saves[save.Value] = save;
        }
    }
}
