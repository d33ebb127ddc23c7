namespace Stout;

/// <summary>A key during its fill, as the Deserialize callback sees it.</summary>
/// <param name="Handle">The new handle. Its members work after the fill has completed.</param>
/// <param name="Exists">Whether the store has the key.</param>
/// <param name="Parts">The stored parts, in no particular order; empty for an absent key. The application may keep the bytes.</param>
public readonly record struct FilledKey(KeyHandle Handle, bool Exists, IReadOnlyList<Storage.StoredPart> Parts)
{
    /// <summary>The key.</summary>
    public PartitionKey Key => Handle.Key;
}
