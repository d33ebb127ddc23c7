namespace Stout.Storage;

/// <summary>A header that a listing has read.</summary>
/// <param name="RowKey">The row key in UTF-8.</param>
/// <param name="Exists">Whether the object exists.</param>
/// <param name="LongKey">The long key that the header keeps; empty if it keeps no key. See <see cref="LongKeys"/>.</param>
public readonly record struct ListedHeader(ReadOnlyMemory<byte> RowKey, bool Exists, ReadOnlyMemory<byte> LongKey = default);
