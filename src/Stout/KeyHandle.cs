namespace Stout;

/// <summary>
/// A filled key: its ownership, and the calls on it. Belongs to one fill: once the key has failed, or the handle was closed, only a
/// later fill's handle works. Every call may come from any thread; none blocks.
/// </summary>
/// <remarks>
/// Mark a change inside the same critical section that makes it. Otherwise another request may read the changed object and have its
/// reply released before the change is durable. The typed layer (<see cref="Documents"/>) does this for you.
/// </remarks>
public sealed partial class KeyHandle
{
    /// <summary>The key.</summary>
    public PartitionKey Key { get; }

    /// <summary>The number of the ownership under which the key was filled; 0 without leases.</summary>
    public long Epoch { get; }

    /// <summary>Whether the handle no longer works: its key has failed, or it was closed.</summary>
    public bool IsClosed => throw new InvalidOperationException();

    /// <summary>Stout.MarkDirty: a part of the key (by default the object itself) has changed in memory and is to be made durable.</summary>
    /// <param name="part">The part.</param>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    public void MarkDirty(SubKey part = default) => throw new InvalidOperationException();

    /// <summary>Stout.MarkDeleted: the whole object goes, with all its parts. Parts marked dirty later begin a new one.</summary>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    public void MarkDeleted() => throw new InvalidOperationException();

    /// <summary>Stout.MarkDeleted: one part of the object goes.</summary>
    /// <param name="part">The part; the empty sub-key deletes the object's own bytes and leaves its other parts.</param>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    public void MarkDeleted(SubKey part) => throw new InvalidOperationException();

    /// <summary>
    /// Stout.SendMessageWhenSafe: calls back once every change of this key that was marked before this call is durable, or has failed;
    /// at once if there is none.
    /// </summary>
    /// <param name="state">Passed to the callback.</param>
    /// <param name="callback">Sends the message, or tells its client of the failure.</param>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    public void SendMessageWhenSafe<TState>(TState state, MessageCallback<TState> callback) => throw new InvalidOperationException();

    /// <summary>
    /// Completes once every change of this key that was marked before this call is durable. Continuations run in no particular order.
    /// </summary>
    /// <param name="cancellationToken">Stops the waiting, never the change.</param>
    /// <exception cref="NotAppliedException">The changes are certainly not in the store.</exception>
    /// <exception cref="OutcomeUnknownException">The changes may or may not be in the store.</exception>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="OperationCanceledException">The waiting was cancelled.</exception>
    public ValueTask WhenSafeAsync(CancellationToken cancellationToken = default) => throw new InvalidOperationException();

    /// <summary>
    /// Gives the key up, if nothing of it is dirty or in flight and no message waits for it. From then on the handle no longer works,
    /// and the key costs nothing.
    /// </summary>
    /// <returns>Whether the handle is closed now.</returns>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    public ValueTask<bool> TryCloseAsync() => throw new InvalidOperationException();
}
