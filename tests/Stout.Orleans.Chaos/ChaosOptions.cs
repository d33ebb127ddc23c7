namespace Stout.Orleans.Chaos;

/// <summary>How long and how hard a run is.</summary>
/// <param name="Seed">Of every choice: requests and faults. The silos' speed is not repeated.</param>
/// <param name="Faults">Faults, spread over the requests.</param>
/// <param name="Requests">Requests at least.</param>
internal sealed record ChaosOptions(int Seed, int Faults, int Requests)
{
    /// <summary>After this time no fault begins, and no more requests are made.</summary>
    public TimeSpan AtMost { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>The only kind of fault, by its name; null for all kinds.</summary>
    public string? Fault { get; init; }

    /// <summary>Gets a line when a fault begins and when it is over. Default: null.</summary>
    public Action<string>? Log { get; init; }

    public int Clients { get; init; } = 12;

    /// <summary>Documents that are in use at once.</summary>
    public int Documents { get; init; } = 2 * Grains.DocumentKinds.Count;
}
