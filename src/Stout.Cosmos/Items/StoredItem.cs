using Stout.Storage;

namespace Stout.Cosmos.Items;

/// <summary>A stored item: a header, a part, or a note for the sweeper.</summary>
internal sealed record StoredItem
{
    public required string Id { get; init; }

    public required string ETag { get; init; }

    /// <summary>In headers: the stamp of the key's last write; absent if the key was claimed and never written.</summary>
    public Stamp Version { get; init; }

    /// <summary>In headers: the key's owner.</summary>
    public KeyOwner Owner { get; init; }

    /// <summary>In the item with the epoch floor: the floor.</summary>
    public long Epoch { get; init; }

    /// <summary>In headers: version and owner.</summary>
    public KeyHeader Key => new(Version, Owner);

    public Stamp Generation { get; init; }

    public RootPlace Root { get; init; }

    public bool HasRows { get; init; }

    /// <summary>In headers: whether the key has no object. In parts: whether the part was removed, and the service has not deleted it yet.</summary>
    public bool IsDeleted { get; init; }

    /// <summary>Whether a property is unreadable; then only the id is known.</summary>
    public bool IsDamaged { get; init; }

    /// <summary>In headers: the whole key of a long key, in UTF-8; null for other keys.</summary>
    public byte[]? LongKey { get; init; }

    /// <summary>The bytes of a part, or of an own value in a header; null for another item.</summary>
    public byte[]? Value { get; init; }

    /// <summary>Returns the item after checking that it is a valid header.</summary>
    /// <exception cref="StoreException">The item is damaged.</exception>
    public StoredItem AsHeader()
    {
        var isWritten = !Version.IsAbsent && !Generation.IsAbsent;
        var isClaimedOnly = Version.IsAbsent && Generation.IsAbsent && Owner.Epoch > 0 && IsDeleted;
        var isSound = (isWritten || isClaimedOnly)
            && (Root == RootPlace.Inline) == (Value is not null)
            && (Root != RootPlace.Row || HasRows)
            && (Root == RootPlace.None || !IsDeleted);
        return isSound ? this : throw new StoreException(StoreErrorKind.Corrupt, "A header is none.");
    }

    /// <summary>The header's state without its bytes.</summary>
    public HeaderToken Token => new(ETag, Owner, Generation, Root, HasRows, IsDeleted, HasRows ? null : KnownParts.None);
}

/// <summary>
/// The state of a header that the next write needs. The lane keeps it with the version and returns it with the next write, which therefore needs no
/// read.
/// </summary>
/// <param name="ETag">The service's version of the item; a write is applied only if the ETag is unchanged.</param>
/// <param name="Owner">The key's owner.</param>
/// <param name="Generation">The stamp of the write that started the generation; absent if the key was never written.</param>
/// <param name="Root">The place of the object's own value.</param>
/// <param name="HasRows">Whether the generation has ever had items beside the header.</param>
/// <param name="IsDeleted">Whether the key has no object.</param>
/// <param name="Parts">The generation's parts; null if unknown.</param>
internal sealed record HeaderToken(string ETag, KeyOwner Owner, Stamp Generation, RootPlace Root, bool HasRows, bool IsDeleted, KnownParts? Parts);
