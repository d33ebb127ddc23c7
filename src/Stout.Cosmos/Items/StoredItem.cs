using Stout.Storage;

namespace Stout.Cosmos.Items;

/// <summary>An item as it was read: a header, a part, or a note for the sweeper.</summary>
internal sealed record StoredItem
{
    public required string Id { get; init; }

    public required string ETag { get; init; }

    /// <summary>The key's stamp; absent in items that are no headers.</summary>
    public Stamp Stamp { get; init; }

    public Stamp Generation { get; init; }

    public RootPlace Root { get; init; }

    public bool HasRows { get; init; }

    /// <summary>Of a header: the object is deleted. Of a part: it has been removed, and Cosmos DB has not done so yet.</summary>
    public bool IsDeleted { get; init; }

    /// <summary>Whether a property can't be read. Nothing but the id is known then.</summary>
    public bool IsDamaged { get; init; }

    /// <summary>The bytes; null if the item has none.</summary>
    public byte[]? Value { get; init; }

    /// <summary>The item, checked to be a header as this library writes it.</summary>
    /// <exception cref="StoreException">The item is damaged.</exception>
    public StoredItem AsHeader()
    {
        var isSound = !Stamp.IsAbsent && !Generation.IsAbsent
            && (Root == RootPlace.Inline) == (Value is not null)
            && (Root != RootPlace.Row || HasRows)
            && (Root == RootPlace.None || !IsDeleted);
        return isSound ? this : throw new StoreException(StoreErrorKind.Corrupt, "A header is none.");
    }

    /// <summary>What is known of a header without its bytes.</summary>
    public HeaderToken Token => new(ETag, Generation, Root, HasRows, IsDeleted, HasRows ? null : KnownParts.None);
}

/// <summary>
/// What a write has to know of the header that it replaces. It goes with every stamp to the lane and comes back with the next write, which
/// therefore needs no read.
/// </summary>
/// <param name="ETag">The service's own stamp of the item; a write is applied only if it is still there.</param>
/// <param name="Generation">The stamp of the write that began the object.</param>
/// <param name="Root">Where the object's own bytes are.</param>
/// <param name="HasRows">Whether the generation has ever had items beside the header.</param>
/// <param name="IsDeleted">Whether the object is deleted.</param>
/// <param name="Parts">The generation's parts; null where they are not known.</param>
internal sealed record HeaderToken(string ETag, Stamp Generation, RootPlace Root, bool HasRows, bool IsDeleted, KnownParts? Parts);
