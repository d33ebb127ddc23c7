using System.Buffers;

namespace Stout;

/// <summary>One key of a Serialize callback. Call its members before the callback completes. Within one batch, use one thread at a time.</summary>
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
    /// <exception cref="InvalidOperationException">The callback has ended.</exception>
    public PartitionKey Key => Handle.Key;

    /// <summary>The key's handle.</summary>
    /// <exception cref="InvalidOperationException">The callback has ended.</exception>
    public KeyHandle Handle => _batch.EntryFor(_index, _run).Work.Handle;

    /// <summary>
    /// The parts changed since they were last serialized, without deleted parts, in no particular order. Empty if only deletions of this key are to be
    /// written.
    /// </summary>
    /// <exception cref="InvalidOperationException">The callback has ended.</exception>
    public ReadOnlySpan<SubKey> DirtyParts => _batch.AskedOf(_index, _run);

    /// <summary>
    /// Starts the bytes of a part, and ends the bytes of the part before it. The part may also be a changed part that is not in <see
    /// cref="DirtyParts"/>, so that related parts commit together.
    /// </summary>
    /// <returns>The writer for the bytes, valid until the next call on any key of the batch.</returns>
    /// <exception cref="InvalidOperationException">The part was already written or deleted, or the callback has ended.</exception>
    public IBufferWriter<byte> Write(SubKey part) => _batch.Write(_index, _run, part);

    /// <summary>Reports that a part has been deleted since it was marked dirty.</summary>
    /// <exception cref="InvalidOperationException">The part was already written or deleted, or the callback has ended.</exception>
    public void Delete(SubKey part) => _batch.Delete(_index, _run, part);

    /// <summary>
    /// Reports that the whole object has been deleted since it was marked dirty; call this method before writing parts. The object keeps only the parts
    /// written in this batch. Without any written or deleted part the object is deleted.
    /// </summary>
    /// <exception cref="InvalidOperationException">A part was already written or deleted, or the callback has ended.</exception>
    public void Replace() => _batch.Replace(_index, _run);

    /// <summary>
    /// Defers the key to a later batch, for instance because the object's lock is held. The key is serialized again after its next mark, or after <see
    /// cref="StoutOptions.DeferredKeyDelay"/>.
    /// </summary>
    /// <exception cref="InvalidOperationException">The callback has ended.</exception>
    public void Defer() => _batch.Defer(_index, _run);

    /// <summary>Fails the key: its waiting callers fail with <see cref="NotAppliedException"/>.</summary>
    /// <exception cref="InvalidOperationException">The callback has ended.</exception>
    public void Fail(Exception error) => _batch.Fail(_index, _run, error);
}
