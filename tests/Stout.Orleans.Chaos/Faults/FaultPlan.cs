using System.Globalization;

namespace Stout.Orleans.Chaos.Faults;

/// <summary>
/// Makes faults one after the other, with a random number of requests between two faults. Each kind comes once, and then kinds are drawn by weight.
/// </summary>
/// <param name="scene">The cluster and the clients.</param>
/// <param name="only">The name of the only kind; null for all kinds.</param>
/// <param name="log">Gets a line when a fault begins and when it is over; may be null.</param>
internal sealed class FaultPlan(FaultScene scene, string? only, Action<string>? log)
{
    private readonly SortedDictionary<string, int> _counts = new(StringComparer.Ordinal);
    private int _made;

    /// <summary>The number of faults that were made.</summary>
    public int Made => _made;

    /// <summary>Makes the given number of faults, or fewer if the time is over before.</summary>
    public async Task RunAsync(int faults, CancellationToken over)
    {
        Fault[] kinds = [.. CommonFaults.Of(scene), .. scene.Cluster.FaultsOfItsOwn(scene)];
        if (only is not null)
            kinds = Array.FindAll(kinds, fault => fault.Name == only);
        var first = kinds.ToArray();
        scene.Random.Shuffle(first);
        for (; _made < faults && !over.IsCancellationRequested; _made++)
        {
            await scene.GoOnAsync(0.5 + scene.Random.NextDouble());
            var fault = _made < first.Length ? first[_made] : Draw(kinds);
            log?.Invoke(FormattableString.Invariant($"{_made + 1} of {faults}: {fault.Name}, after {scene.Clients.Requests.Ended} requests"));
            await fault.RunAsync();
            log?.Invoke(FormattableString.Invariant($"  over after {scene.Clients.Requests.Ended} requests; {scene.Clients.Counts}"));
            _counts[fault.Name] = _counts.GetValueOrDefault(fault.Name) + 1;
        }
    }

    public override string ToString() => string.Join(", ", _counts.Select(fault => string.Create(CultureInfo.InvariantCulture, $"{fault.Key} {fault.Value}")));

    private Fault Draw(Fault[] kinds)
    {
        var roll = scene.Random.Next(kinds.Sum(fault => fault.Weight));
        return kinds.First(fault => (roll -= fault.Weight) < 0);
    }
}
