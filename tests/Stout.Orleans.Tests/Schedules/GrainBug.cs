namespace Stout.Orleans.Tests.Schedules;

/// <summary>Bugs that the schedules of grains must be able to see. Each is planted around the product, which knows nothing of it.</summary>
public enum GrainBug
{
    None,

    /// <summary>The store ignores both the version that a write expects and the owner that the write names.</summary>
    StampIgnored,

    /// <summary>A claim reads the newest stamp and an earlier value.</summary>
    ClaimReadsStaleObject,

    /// <summary>A change that another owner's claim has refused is answered as if it were durable.</summary>
    FencedTakenForDurable,

    /// <summary>A change of unknown outcome is answered as not written.</summary>
    UnknownTakenForNotWritten,
}
