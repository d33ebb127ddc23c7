namespace Stout.Director.Simulation.Training;

/// <summary>The settings of the training of a model.</summary>
internal sealed record TrainingSettings
{
    /// <summary>The objective. Default: the paper's.</summary>
    public ServiceObjective Objective { get; init; } = ServiceObjective.Paper;

    /// <summary>The number of replicas of each bin. A get asks all of them. Default: 2, as in the paper's figure 6.</summary>
    public int Replicas { get; init; } = 2;

    /// <summary>The number of benchmark runs for each mix. Default: 40.</summary>
    public int Samples { get; init; } = 40;

    /// <summary>The length of a run, in intervals of 20 s. Default: 6.</summary>
    public int Intervals { get; init; } = 6;

    /// <summary>Memory of a server for bins, in bytes. Default: 800 MB (the paper's table 1).</summary>
    public long Memory { get; init; } = 800_000_000;

    /// <summary>Price of one charge interval. Default: 1.</summary>
    public double Price { get; init; } = 1;

    /// <summary>Seed of everything random. Default: 1.</summary>
    public int Seed { get; init; } = 1;
}
