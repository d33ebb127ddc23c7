namespace Stout.Director.Tests.Faults;

/// <summary>Bugs that are planted to check that the model notices them.</summary>
public enum PlantedBug
{
    /// <summary>No bug.</summary>
    None,

    /// <summary>Commands are sent although the intents have not become durable.</summary>
    ActsBeforeTheIntentIsDurable,

    /// <summary>The cluster takes an older Director's commands for commands of the newest one.</summary>
    IgnoresTheEpoch,

    /// <summary>A server without a report is reported as idle.</summary>
    CountsSilenceAsZero,

    /// <summary>A source drops its bins when the copy begins.</summary>
    RemovesBeforeTheLastMove,

    /// <summary>All planned copies begin at once.</summary>
    CopiesToAllReplicasAtOnce,
}
