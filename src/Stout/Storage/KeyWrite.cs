namespace Stout.Storage;

/// <summary>The write of one key in a batch.</summary>
/// <param name="Key">The key.</param>
/// <param name="Kind">The effect on the parts that the write does not name.</param>
/// <param name="Expected">The version that the store must hold; <see cref="Stamp.Absent"/> for a key that was never written.</param>
/// <param name="ExpectedToken">The proxy's token for that version (an ETag, say), or null.</param>
/// <param name="Next">The write's new stamp. A stamp never names two different contents.</param>
public readonly record struct KeyWrite(PartitionKey Key, KeyWriteKind Kind, Stamp Expected, object? ExpectedToken, Stamp Next)
{
    /// <summary>The writer's owner, which the store must hold besides <see cref="Expected"/>; <see cref="KeyOwner.None"/> without claims.</summary>
    public KeyOwner Owner { get; init; }
}
