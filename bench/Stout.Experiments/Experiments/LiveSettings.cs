namespace Stout.Experiments.Experiments;

/// <summary>The command line's settings for real stores, in real time.</summary>
internal sealed record LiveSettings
{
    /// <summary>How often each scenario is run, in turn with the others.</summary>
    public int Rounds { get; init; } = 5;

    /// <summary>The number of middle tiers, all of which run in this process.</summary>
    public int Tiers { get; init; } = 4;

    /// <summary>Documents of all middle tiers together. Each is written once before the first run.</summary>
    public int Documents { get; init; } = 64_000;

    /// <summary>The time of a run before it is measured.</summary>
    public TimeSpan Warmup { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>The measured time of a run at a constant load.</summary>
    public TimeSpan Measured { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>The only load of <c>laws</c>, as a share of what the store sustains; null: all of its loads.</summary>
    public double? Share { get; init; }

    /// <summary>The id of the first process of a server on this machine that may be stopped; null without such a server.</summary>
    public int? ServerProcess { get; init; }
}
