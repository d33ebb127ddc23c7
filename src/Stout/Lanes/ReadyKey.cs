namespace Stout.Lanes;

/// <summary>A serialized key that waits for a request.</summary>
/// <param name="Work">The key's pending work.</param>
/// <param name="Source">The serialization batch that holds the key's bytes; null if the bytes came with the key's changes.</param>
/// <param name="Index">The key's place in the serialization batch.</param>
internal readonly record struct ReadyKey(PendingWork Work, SerializationBatch? Source, int Index);
