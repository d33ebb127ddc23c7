namespace Stout.Experiments.Argon.Simulation;

/// <summary>What a client asks for, one after the other.</summary>
internal interface IPattern
{
    /// <summary>The objects that it uses, by their sizes in blocks.</summary>
    IReadOnlyList<long> Objects { get; }

    Operation Next(Random random);
}
