namespace ReplicaUnderTest;

/// <summary>A bug that a replica is told to have, so that a test shows that it would be found.</summary>
internal enum PlantedBug
{
    None,

    /// <summary>A change of unknown outcome is made again.</summary>
    RepeatsUnknown,

    /// <summary>Reads rest on memory, although other replicas write.</summary>
    ReadsMemory,

    /// <summary>The store acknowledges before it has written.</summary>
    AnswersEarly,

    /// <summary>Expiry is judged by a clock that is late.</summary>
    LateClock,

    /// <summary>The sweep deletes what has expired by its own clock, though the others' clocks may be behind.</summary>
    SweepIgnoresSkew,

    /// <summary>The sweep's deletion commits although the object has been renewed.</summary>
    SweepIgnoresStamp,
}
