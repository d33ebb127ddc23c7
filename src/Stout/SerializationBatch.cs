using System.Buffers;

namespace Stout;

/// <summary>The keys that the application is asked to serialize together.</summary>
public sealed class SerializationBatch
{
    /// <summary>The number of keys.</summary>
    public int Count => throw new InvalidOperationException();

    /// <summary>One of the keys.</summary>
    /// <param name="index">0 to <see cref="Count"/> − 1.</param>
    public SerializationKey this[int index] => throw new InvalidOperationException();
}

/// <summary>One key to serialize. Every call on it must come before the callback completes, from one thread at a time.</summary>
public readonly struct SerializationKey
{
    /// <summary>The key.</summary>
    public PartitionKey Key => Handle.Key;

    /// <summary>The key's handle.</summary>
    public KeyHandle Handle => throw new InvalidOperationException();

    /// <summary>The parts that have changed since they were last serialized, without those marked deleted, in no particular order.</summary>
    public ReadOnlySpan<SubKey> DirtyParts => throw new InvalidOperationException();

    /// <summary>
    /// Begins the bytes of a part and ends those of the part before it. Besides the dirty parts it may be any other part of the key
    /// that has changed: what must not be torn apart goes into one batch that way.
    /// </summary>
    /// <returns>Where to write the bytes, until the next call on any key of the batch.</returns>
    public IBufferWriter<byte> Write(SubKey part) => throw new InvalidOperationException();

    /// <summary>Says that a part is gone: it was deleted since it was marked.</summary>
    public void Delete(SubKey part) => throw new InvalidOperationException();

    /// <summary>Leaves the key for a later batch: it can't be serialized just now (its lock is held, say).</summary>
    public void Leave() => throw new InvalidOperationException();

    /// <summary>Fails the key: what waits for it fails with <see cref="NotAppliedException"/>.</summary>
    public void Fail(Exception error) => throw new InvalidOperationException();
}
