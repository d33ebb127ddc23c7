namespace ReplicaUnderTest;

/// <summary>A bug that a replica has on purpose, so that a test can check that it is found.</summary>
internal enum PlantedBug
{
    None,

    /// <summary>A change of unknown outcome is made again.</summary>
    RepeatsUnknown,

    /// <summary>Reads answer from memory, although other replicas write.</summary>
    ReadsMemory,

    /// <summary>The store acknowledges before it has written.</summary>
    AnswersEarly,

    /// <summary>The replica judges expiry by a clock that is 100 ms behind.</summary>
    LateClock,

    /// <summary>The sweep deletes objects that have expired by its own replica's clock, though the clocks of other replicas may be behind.</summary>
    SweepIgnoresSkew,

    /// <summary>The sweep's deletion commits although the object has been renewed.</summary>
    SweepIgnoresStamp,
}
