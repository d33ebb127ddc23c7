namespace Stout.Storage;

/// <summary>
/// The sub-keys of an object's stored parts, as far as the client knows them, without the object's own value. A proxy keeps them in the token of a stamp. A
/// write that replaces or deletes the object can then delete the parts' rows in the same transaction, without garbage.
/// </summary>
/// <remarks>Immutable. The sub-keys take 8 bytes of memory for each part, at most 320 for a handle.</remarks>
public sealed class KnownParts
{
    /// <summary>The most parts that are remembered. Objects with more parts have no <see cref="KnownParts"/>.</summary>
    public const int MaxCount = 40;

    private readonly SubKey[] _subKeys;

    private KnownParts(SubKey[] subKeys) => _subKeys = subKeys;

    /// <summary>The value for an object without parts.</summary>
    public static KnownParts None { get; } = new([]);

    /// <summary>The parts' sub-keys, in no particular order.</summary>
    public IReadOnlyList<SubKey> SubKeys => _subKeys;

    /// <summary>Creates the known parts of an object that was read.</summary>
    /// <returns>The known parts; null if there are more than <see cref="MaxCount"/>.</returns>
    public static KnownParts? Of(IReadOnlyList<StoredPart> parts)
    {
        ArgumentNullException.ThrowIfNull(parts);
        return parts.Count > MaxCount + 1 ? null : Of([.. parts.Where(static part => !part.SubKey.IsRoot).Select(static part => part.SubKey)]);
    }

    /// <summary>Creates the known parts after a write.</summary>
    /// <returns>The known parts; null if there are more than <see cref="MaxCount"/>.</returns>
    public KnownParts? After(ReadOnlySpan<PartWrite> writes)
    {
        if (Covers(writes))
            return this;
        var parts = new HashSet<SubKey>(_subKeys);
        foreach (ref readonly var write in writes)
        {
            if (write.SubKey.IsRoot)
                continue;
            if (write.IsDeleted)
                parts.Remove(write.SubKey);
            else
                parts.Add(write.SubKey);
        }

        return Of([.. parts]);
    }

    private static KnownParts? Of(SubKey[] subKeys) => subKeys.Length switch
    {
        0 => None,
        > MaxCount => null,
        _ => new KnownParts(subKeys),
    };

    /// <summary>Whether the writes only change values of existing parts.</summary>
    private bool Covers(ReadOnlySpan<PartWrite> writes)
    {
        foreach (ref readonly var write in writes)
        {
            if (!write.SubKey.IsRoot && (write.IsDeleted || Array.IndexOf(_subKeys, write.SubKey) < 0))
                return false;
        }

        return true;
    }
}
