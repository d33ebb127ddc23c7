namespace Stout;

/// <summary>A key that is being filled.</summary>
/// <param name="Handle">The new handle; its calls work once the fill has completed.</param>
/// <param name="Exists">Whether the store has the key.</param>
/// <param name="Parts">The key's stored parts, in no particular order; empty for a key that does not exist. The bytes are the application's to keep.</param>
public readonly record struct FilledKey(KeyHandle Handle, bool Exists, IReadOnlyList<Storage.StoredPart> Parts)
{
    /// <summary>The key.</summary>
    public PartitionKey Key => Handle.Key;

    /// <summary>What the fill was asked for with; null in the base layer.</summary>
    internal object? Requester { get; init; }
}
