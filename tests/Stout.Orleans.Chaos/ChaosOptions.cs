namespace Stout.Orleans.Chaos;

/// <summary>The length and the load of a run.</summary>
/// <param name="Seed">The seed of the random requests and faults. Runs with one seed still differ, since the silos' speed is not repeatable.</param>
/// <param name="Faults">The number of faults, spread over the requests.</param>
/// <param name="Requests">The least number of requests.</param>
internal sealed record ChaosOptions(int Seed, int Faults, int Requests)
{
    /// <summary>After this time no fault begins, and no more requests are made.</summary>
    public TimeSpan AtMost { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>The only kind of fault, by its name; null for all kinds.</summary>
    public string? Fault { get; init; }

    /// <summary>Gets a line when a fault begins and when it is over. Default: null.</summary>
    public Action<string>? Log { get; init; }

    public int Clients { get; init; } = 12;

    /// <summary>The number of documents that are in use at once.</summary>
    public int Documents { get; init; } = 2 * Grains.DocumentKinds.Count;
}
