namespace Stout.Lanes;

/// <summary>A serialized key that waits for a request.</summary>
/// <param name="Work">The key's pending work.</param>
/// <param name="Source">The serialization batch that holds its bytes; null if they came with its changes.</param>
/// <param name="Index">The key's place in that batch.</param>
internal readonly record struct ReadyKey(PendingWork Work, SerializationBatch? Source, int Index);
