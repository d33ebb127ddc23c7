namespace Stout.Storage;

/// <summary>A part in the store.</summary>
/// <param name="SubKey">The part; empty for the object's own value.</param>
/// <param name="Value">The part's bytes.</param>
public readonly record struct StoredPart(SubKey SubKey, ReadOnlyMemory<byte> Value);
