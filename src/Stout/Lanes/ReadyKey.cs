namespace Stout.Lanes;

/// <summary>A key whose bytes are there, on its way into a request.</summary>
/// <param name="Work">The key's work.</param>
/// <param name="Source">The serialization batch that holds its bytes; null where they came with its changes.</param>
/// <param name="Index">The key's place in that batch.</param>
internal readonly record struct ReadyKey(PendingWork Work, SerializationBatch? Source, int Index);
