namespace Stout.Tests.Lanes.Schedules;

/// <summary>
/// Bugs that the schedules must be able to see. Each is planted outside the core, in its inputs or in the handling of its commands, so that the product
/// knows nothing of them.
/// </summary>
public enum PlantedBug
{
    None,

    /// <summary>Messages are released when their batch is sent.</summary>
    ReleaseOnSend,

    /// <summary>A change marked while its key is being serialized counts as part of that batch.</summary>
    DirtyClearedAfterSerializing,

    /// <summary>The store compares no stamps.</summary>
    StampIgnored,

    /// <summary>A repeated write carries the parts as they are in memory at the time of the repeat.</summary>
    RepeatWithOtherBytes,

    /// <summary>A conflict of a repeated write is reported as not applied.</summary>
    ConflictOfRepeatTakenForNotApplied,

    /// <summary>A fill of an open key reads the store again.</summary>
    FillOverwritesMemory,

    /// <summary>After a failure and a new fill the calls on the old handle go to the new one.</summary>
    OldHandleWorks,

    /// <summary>The store ignores the owner that a write names.</summary>
    OwnerIgnored,

    /// <summary>The store reads a key first, and claims it later.</summary>
    ClaimAfterRead,

    /// <summary>A lane confirms its ownership without asking the store.</summary>
    ConfirmWithoutAsking,
}
