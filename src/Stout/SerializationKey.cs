using System.Buffers;

namespace Stout;

/// <summary>
/// One key to serialize. Every call on it must come before the callback completes; calls on keys of one batch come from one thread
/// at a time.
/// </summary>
public readonly struct SerializationKey
{
    private readonly SerializationBatch _batch;
    private readonly int _index;
    private readonly long _run;

    internal SerializationKey(SerializationBatch batch, int index, long run)
    {
        _batch = batch;
        _index = index;
        _run = run;
    }

    /// <summary>The key.</summary>
    /// <exception cref="InvalidOperationException">The callback is over.</exception>
    public PartitionKey Key => Handle.Key;

    /// <summary>The key's handle.</summary>
    /// <exception cref="InvalidOperationException">The callback is over.</exception>
    public KeyHandle Handle => _batch.EntryFor(_index, _run).Work.Handle;

    /// <summary>
    /// The parts that have changed since they were last serialized, without those marked deleted, in no particular order.
    /// Empty where only deletions are to be carried.
    /// </summary>
    /// <exception cref="InvalidOperationException">The callback is over.</exception>
    public ReadOnlySpan<SubKey> DirtyParts => _batch.AskedOf(_index, _run);

    /// <summary>
    /// Begins the bytes of a part and ends those of the part before it. Besides the dirty parts it may be any other part of the key
    /// that has changed: what must not be torn apart goes into one batch that way.
    /// </summary>
    /// <returns>Where to write the bytes, until the next call on any key of the batch.</returns>
    /// <exception cref="InvalidOperationException">The part was written or deleted already, or the callback is over.</exception>
    public IBufferWriter<byte> Write(SubKey part) => _batch.Write(_index, _run, part);

    /// <summary>Says that a part is gone: it was deleted since it was marked.</summary>
    /// <exception cref="InvalidOperationException">The part was written or deleted already, or the callback is over.</exception>
    public void Delete(SubKey part) => _batch.Delete(_index, _run, part);

    /// <summary>
    /// Says that the whole object was deleted since it was marked: of its parts only those remain that are written in this batch, and
    /// if none is written or deleted besides, the object is deleted. Comes before the parts.
    /// </summary>
    /// <exception cref="InvalidOperationException">A part was written or deleted already, or the callback is over.</exception>
    public void Replace() => _batch.Replace(_index, _run);

    /// <summary>
    /// Leaves the key for a later batch: it can't be serialized just now (its lock is held, say). It is asked for again when it is next
    /// marked, or after <see cref="StoutOptions.DeferredKeyDelay"/>.
    /// </summary>
    /// <exception cref="InvalidOperationException">The callback is over.</exception>
    public void Defer() => _batch.Defer(_index, _run);

    /// <summary>Fails the key: what waits for it fails with <see cref="NotAppliedException"/>.</summary>
    /// <exception cref="InvalidOperationException">The callback is over.</exception>
    public void Fail(Exception error) => _batch.Fail(_index, _run, error);
}
