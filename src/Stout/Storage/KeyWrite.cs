namespace Stout.Storage;

/// <summary>One key's part of a write batch.</summary>
/// <param name="Key">The key.</param>
/// <param name="Kind">What happens to the key's other parts.</param>
/// <param name="Expected">The stamp that the store must hold; <see cref="Stamp.Absent"/> for a key that it must not have.</param>
/// <param name="ExpectedToken">What the proxy returned with that stamp (an ETag, say), or null.</param>
/// <param name="Next">The stamp that the write leaves. It names one set of bytes for ever.</param>
public readonly record struct KeyWrite(PartitionKey Key, KeyWriteKind Kind, Stamp Expected, object? ExpectedToken, Stamp Next);
