namespace Stout.Storage;

/// <summary>The write of one key in a batch.</summary>
/// <param name="Key">The key.</param>
/// <param name="Kind">The effect on the parts that the write does not name.</param>
/// <param name="Expected">The stamp that the store must contain; <see cref="Stamp.Absent"/> for a new key.</param>
/// <param name="ExpectedToken">The proxy's token that came with that stamp, such as an ETag, or null.</param>
/// <param name="Next">The stamp after the write. A stamp never names two different contents.</param>
public readonly record struct KeyWrite(PartitionKey Key, KeyWriteKind Kind, Stamp Expected, object? ExpectedToken, Stamp Next);
