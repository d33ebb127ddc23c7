using Stout.Experiments.Laws;
using Stout.Experiments.Model.Stores;

namespace Stout.Experiments.Workloads;

/// <summary>
/// One run of an experiment: the clients, their requests, the store, and the laws. Defaults are the paper's (section 5.1). Equal scenarios have equal figures.
/// </summary>
internal sealed record Scenario
{
    public required StoreKind Store { get; init; }

    public required LoadProfile Load { get; init; }

    /// <summary>The law of the middle tiers.</summary>
    public required PacingChoice Law { get; init; }

    /// <summary>The law of every second middle tier; null: the same as the others'.</summary>
    public PacingChoice? OtherLaw { get; init; }

    /// <summary>The scope of one law.</summary>
    public LawScope Scope { get; init; } = LawScope.Lane;

    public int Tiers { get; init; } = 32;

    /// <summary>Documents of all middle tiers together; each request chooses one of them, with equal probabilities.</summary>
    public int Documents { get; init; } = 64_000;

    /// <summary>Share of the requests that choose among the first <see cref="HotDocuments"/> only.</summary>
    public double HotShare { get; init; }

    /// <summary>How many documents are hot.</summary>
    public int HotDocuments { get; init; } = 1;

    /// <summary>
    /// The most writes of one document in flight at a time. This library has 1. A larger number imitates the paper's Stout, which pipelines writes.
    /// </summary>
    public int WritesInFlightPerDocument { get; init; } = 1;

    /// <summary>The most requests that wait at a time, as if clients waited for replies; further requests are not made. Null: no limit.</summary>
    public int? MostWaiting { get; init; }

    /// <summary>Clients that wait for their replies, in place of the open load <see cref="Load"/>; null: the load is open.</summary>
    public ClosedLoad? Closed { get; init; }

    /// <summary>Share of the requests that write. The others read from memory, and wait only for undurable changes.</summary>
    public double WriteShare { get; init; } = 0.5;

    /// <summary>Bytes of one document, its only section.</summary>
    public int ValueBytes { get; init; } = 256;

    public TimeSpan Duration { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>Requests before this time count only in the series over time.</summary>
    public TimeSpan Warmup { get; init; } = TimeSpan.FromSeconds(10);

    public int Seed { get; init; } = 1;

    /// <summary>Speed of each store partition over time, by its number; null: as usual.</summary>
    public Func<int, StoreSpeed>? Speed { get; init; }

    /// <summary>When the laws start anew, and with which interval in milliseconds, by the number of the middle tier; null: never.</summary>
    public (TimeSpan At, Func<int, double> IntervalMilliseconds)? Disturbance { get; init; }

    /// <summary>The scenario with the seed of a later round; the first is round 0.</summary>
    public Scenario InRound(int round) => this with { Seed = Seed + round };
}

/// <summary>Clients that wait for their replies: a closed load.</summary>
/// <param name="Clients">The number of clients of all middle tiers together.</param>
/// <param name="Think">Mean time between a reply and the next request.</param>
internal sealed record ClosedLoad(int Clients, TimeSpan Think);

/// <summary>The scope of one law.</summary>
internal enum LawScope
{
    /// <summary>One lane, as in this library.</summary>
    Lane,

    /// <summary>All lanes of a process, as in the paper.</summary>
    Process,
}
