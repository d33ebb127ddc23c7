namespace Stout.Storage;

/// <summary>One part of a key's write.</summary>
/// <param name="SubKey">The part; empty for the object's own value.</param>
/// <param name="IsDeleted">Whether the part is deleted. A value of 0 bytes is not a deletion.</param>
/// <param name="Value">The part's bytes; empty for a deletion.</param>
public readonly record struct PartWrite(SubKey SubKey, bool IsDeleted, ReadOnlyMemory<byte> Value);
