namespace Stout.Orleans.Import;

/// <summary>The record of a state in the former storage.</summary>
/// <param name="Kind">The kind of the record.</param>
/// <param name="Bytes">The value, as this provider's serializer writes it; empty for a kind without a value.</param>
/// <param name="ETag">The former storage's ETag.</param>
internal readonly record struct FormerRecord(FormerRecordKind Kind, ReadOnlyMemory<byte> Bytes = default, string? ETag = null);
