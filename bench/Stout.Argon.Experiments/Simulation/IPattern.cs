namespace Stout.Argon.Experiments.Simulation;

/// <summary>A sequence of requests of one client.</summary>
internal interface IPattern
{
    /// <summary>The sizes of the pattern's objects, in blocks.</summary>
    IReadOnlyList<long> Objects { get; }

    Operation Next(Random random);
}
