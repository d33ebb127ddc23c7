namespace Stout.Orleans.Chaos.Grains;

/// <summary>A bug that a test plants in the silos, to show that the checks find it.</summary>
public enum PlantedBug
{
    /// <summary>No bug.</summary>
    None,

    /// <summary>Grain storage does not claim keys.</summary>
    NoClaims,

    /// <summary>Confirmed reads are answered from memory, without a confirmation by the store.</summary>
    UnconfirmedReads,

    /// <summary>Replies leave before the changes are durable.</summary>
    RepliesEarly,

    /// <summary>The store compares versions, but no owners.</summary>
    IgnoresOwner,

    /// <summary>A silo that leaves gives up the changes that are not durable yet.</summary>
    SkipsDrain,
}
