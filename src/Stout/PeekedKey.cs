using Stout.Storage;

namespace Stout;

/// <summary>The stored state of a key. It is durable, and may have changed since the read.</summary>
/// <param name="Key">The key.</param>
/// <param name="Exists">Whether the key exists: it was written and not deleted since.</param>
/// <param name="Version">The stamp of the last write, or of the deletion; <see cref="Stamp.Absent"/> for a key that was never written.</param>
/// <param name="Owner">The key's owner.</param>
/// <param name="Parts">The key's parts, in no particular order; empty for a key that does not exist.</param>
public readonly record struct PeekedKey(PartitionKey Key, bool Exists, Stamp Version, KeyOwner Owner, IReadOnlyList<StoredPart> Parts);
