namespace Stout.Documents.Tests.Schedules.Owners;

/// <summary>Bugs that the schedules of several owners must be able to see. Each is planted around the product, which knows nothing of it.</summary>
public enum OwnerBug
{
    None,

    /// <summary>The store ignores the owner that a write names.</summary>
    OwnerIgnored,

    /// <summary>The store ignores both the version that a write expects and the owner that the write names.</summary>
    StampIgnored,

    /// <summary>The store reads an object first, and claims it later.</summary>
    ClaimAfterRead,

    /// <summary>A claim reads the newest stamp and an earlier value.</summary>
    ClaimReadsStaleObject,

    /// <summary>Confirmed reads answer from memory, without a look at the store.</summary>
    ConfirmedFromMemory,

    /// <summary>A change that was fenced is answered as if it were durable.</summary>
    FencedTakenForDurable,

    /// <summary>A change of unknown outcome is answered as not applied.</summary>
    UnknownTakenForNotApplied,

    /// <summary>A change of unknown outcome is made again.</summary>
    UnknownOutcomeIsRetried,
}
