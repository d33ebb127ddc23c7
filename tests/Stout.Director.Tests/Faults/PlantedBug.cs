namespace Stout.Director.Tests.Faults;

/// <summary>Errors that are planted to see whether the model notices them.</summary>
public enum PlantedBug
{
    /// <summary>The Director as it is.</summary>
    None,

    /// <summary>Commands are sent although the intents have not become durable.</summary>
    ActsBeforeTheIntentIsDurable,

    /// <summary>A Director's commands are taken for those of the newest one.</summary>
    IgnoresTheEpoch,

    /// <summary>A server without a report is reported as idle.</summary>
    CountsSilenceAsZero,

    /// <summary>A source drops its bins when the copy begins.</summary>
    RemovesBeforeTheLastMove,

    /// <summary>All planned copies begin at once.</summary>
    CopiesToAllReplicasAtOnce,
}
