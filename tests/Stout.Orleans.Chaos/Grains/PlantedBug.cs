namespace Stout.Orleans.Chaos.Grains;

/// <summary>A bug that silos are told to have, so that a test shows that it would be found.</summary>
public enum PlantedBug
{
    /// <summary>No bug.</summary>
    None,

    /// <summary>Grain storage does not claim keys.</summary>
    NoClaims,

    /// <summary>Reads from memory are told as confirmed.</summary>
    UnconfirmedReads,

    /// <summary>Replies leave before the changes are durable.</summary>
    RepliesEarly,

    /// <summary>The store compares versions, and no owners.</summary>
    IgnoresOwner,

    /// <summary>A silo that leaves gives up the changes that are not durable yet.</summary>
    SkipsDrain,
}
