namespace Stout.Director.Experiments;

/// <summary>The command line's settings.</summary>
internal sealed record ExperimentSettings
{
    public int Seed { get; init; } = 1;

    /// <summary>The seed that the command line names; null without one.</summary>
    public int? GivenSeed { get; init; }

    /// <summary>The number of seeds of each scenario.</summary>
    public int Seeds { get; init; } = 1;

    /// <summary>The number of random loads.</summary>
    public int Count { get; init; } = 300;

    /// <summary>The file that keeps the comparators' figures of random loads for a later run with the same seed; null: they are run anew.</summary>
    public FileInfo? Comparators { get; init; }

    /// <summary>The file of requests per minute; null: the folders above are searched for it.</summary>
    public FileInfo? Load { get; init; }

    public Effort Effort { get; init; } = Effort.Full;
}
