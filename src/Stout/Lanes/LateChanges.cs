namespace Stout.Lanes;

/// <summary>
/// The changes of one key whose bytes the lane's client makes when a batch leaves. The lane counts the key as dirty meanwhile. If a batch is certainly not in the
/// store, the lane asks for the bytes again.
/// </summary>
internal abstract class LateChanges
{
    /// <summary>Whether changes wait for the next batch.</summary>
    public bool IsDirty { get; protected set; }

    /// <summary>The number of parts that wait for the next batch.</summary>
    public abstract int Parts { get; }

    /// <summary>Moves the waiting changes into the batch that leaves.</summary>
    public abstract void Freeze();

    /// <summary>Makes the batch's changes wait again, since the store does not have them.</summary>
    public abstract void Requeue();

    /// <summary>Records that the batch's changes are durable.</summary>
    public abstract void Commit();

    /// <summary>The lane no longer uses the batch's bytes of this key.</summary>
    public abstract void Release();

    /// <summary>A request has exceeded its time limit and may still read the bytes, so their memory must not be reused.</summary>
    public abstract void Abandon();
}
