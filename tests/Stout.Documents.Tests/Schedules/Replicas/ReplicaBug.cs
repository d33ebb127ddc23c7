namespace Stout.Documents.Tests.Schedules.Replicas;

/// <summary>Bugs that the schedules of several replicas must be able to see. Each is planted around the product, which knows nothing of it.</summary>
public enum ReplicaBug
{
    None,

    /// <summary>A sweep's deletion commits without a look at the stored version, so it deletes a renewed object.</summary>
    SweepIgnoresStamp,

    /// <summary>The sweep deletes objects that have expired by its own replica's clock, though the clocks of other replicas may be behind.</summary>
    SweepIgnoresSkew,

    /// <summary>The product judges expiry by a clock that is 0.5 s behind.</summary>
    LateClock,

    /// <summary>A call of unknown outcome is made again.</summary>
    UnknownOutcomeIsRetried,

    /// <summary>A read returns the newest stamp and an earlier value, so that a retry changes a stale object.</summary>
    RetryUsesStaleObject,

    /// <summary>The retry runs the function again, and the call answers with what the first run has made.</summary>
    FirstRunIsAnswered,

    /// <summary>Reads answer from memory, which other replicas' changes do not reach.</summary>
    ReadsFromMemory,
}
