namespace Stout.Documents.Tests.Schedules;

/// <summary>
/// Bugs that the schedules must be able to see. Each is planted around the product, in its inputs or in the use of its answers, so that the product
/// knows nothing of them.
/// </summary>
public enum PlantedBug
{
    None,

    /// <summary>The store acknowledges some writes without applying them: replies leave early.</summary>
    StoreLies,

    /// <summary>The store compares no stamps.</summary>
    StampIgnored,

    /// <summary>The result of a reading function counts as answered when the function returns.</summary>
    ResultLeavesEarly,

    /// <summary>A function's exception counts as answered when it is thrown.</summary>
    ExceptionLeavesEarly,

    /// <summary>A change that was not applied is answered as if it were durable.</summary>
    FailureTakenForSuccess,

    /// <summary>A change of unknown outcome is answered as not applied.</summary>
    UnknownTakenForNotApplied,
}
