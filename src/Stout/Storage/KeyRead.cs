namespace Stout.Storage;

/// <summary>One key to read.</summary>
/// <param name="Key">The key.</param>
/// <param name="Claim">The stamp that the key gets if the store holds one of a smaller epoch.</param>
public readonly record struct KeyRead(PartitionKey Key, Stamp Claim);
