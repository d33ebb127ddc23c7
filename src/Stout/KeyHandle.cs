using System.Diagnostics;
using Stout.Diagnostics;
using Stout.Lanes;

namespace Stout;

/// <summary>
/// The handle of a filled key. It belongs to one fill: after the key has failed or the handle was closed, fill the key again for a new handle. All
/// members are thread-safe and do not block.
/// </summary>
/// <remarks>
/// Mark a change inside the same critical section that makes it. Otherwise another request may read the changed object, and its reply may be released
/// before the change is durable. The typed layer (<c>Stout.Documents</c>) does this by itself.
/// </remarks>
public sealed partial class KeyHandle
{
    private readonly ILaneIntake _lane;

    internal KeyHandle(ILaneIntake lane, PartitionKey key, long epoch)
    {
        _lane = lane;
        Key = key;
        Epoch = epoch;
    }

    /// <summary>The key.</summary>
    public PartitionKey Key { get; }

    /// <summary>The ownership epoch under which the key was filled; 0 without leases.</summary>
    public long Epoch { get; }

    /// <summary>Whether the handle has stopped working: its key has failed, or it was closed.</summary>
    public bool IsClosed => _phase == KeyPhase.Closed;

    /// <summary>Stout.MarkDirty: marks a part of the key, by default the object itself, as changed. The next batch writes it.</summary>
    /// <param name="part">The part.</param>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The key is still being filled.</exception>
    public void MarkDirty(SubKey part = default) => Mark(LaneInputKind.MarkDirty, part);

    /// <summary><see cref="MarkDirty(SubKey)"/> and <see cref="SendMessageWhenSafe"/> in one cheaper call.</summary>
    /// <typeparam name="TState">The type of the callback's state; avoids a closure.</typeparam>
    /// <param name="part">The part.</param>
    /// <param name="state">Passed to the callback.</param>
    /// <param name="whenSafe">Sends the message, or reports the failure to its client.</param>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The key is still being filled.</exception>
    public void MarkDirty<TState>(SubKey part, TState state, MessageCallback<TState> whenSafe)
    {
        ArgumentNullException.ThrowIfNull(whenSafe);
        Mark(LaneInputKind.MarkDirty, part, new CallbackMessage<TState>(this, state, whenSafe));
    }

    /// <summary><see cref="MarkDirty(SubKey)"/> and <see cref="WhenSafeAsync"/> in one cheaper call.</summary>
    /// <param name="part">The part.</param>
    /// <param name="cancellationToken">Ends the wait; the change stays.</param>
    /// <exception cref="NotAppliedException">The change is certainly not in the store.</exception>
    /// <exception cref="OutcomeUnknownException">The change may or may not be in the store.</exception>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The key is still being filled.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    public ValueTask MarkDirtyAsync(SubKey part = default, CancellationToken cancellationToken = default)
    {
        var message = new AwaitableMessage();
        Mark(LaneInputKind.MarkDirty, part, message);
        return message.WaitAsync(cancellationToken);
    }

    /// <summary>Stout.MarkDeleted: deletes the object with all its parts. Parts marked dirty later form a new object.</summary>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The key is still being filled.</exception>
    public void MarkDeleted() => Mark(LaneInputKind.MarkAllDeleted, default);

    /// <summary>Stout.MarkDeleted: deletes one part of the object.</summary>
    /// <param name="part">The part; the empty sub-key deletes the object's own bytes and keeps its other parts.</param>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The key is still being filled.</exception>
    public void MarkDeleted(SubKey part) => Mark(LaneInputKind.MarkDeleted, part);

    /// <summary>
    /// Stout.SendMessageWhenSafe: calls back when every earlier change of this key is durable or has failed. Without such changes it calls back at
    /// once.
    /// </summary>
    /// <typeparam name="TState">The type of the callback's state; avoids a closure.</typeparam>
    /// <param name="state">Passed to the callback.</param>
    /// <param name="callback">Sends the message, or reports the failure to its client.</param>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    public void SendMessageWhenSafe<TState>(TState state, MessageCallback<TState> callback)
    {
        ArgumentNullException.ThrowIfNull(callback);
        Post(new LaneInput(LaneInputKind.Message, this, WithCaller(new CallbackMessage<TState>(this, state, callback))));
    }

    /// <summary>Completes when every earlier change of this key is durable. Continuations run in no particular order.</summary>
    /// <param name="cancellationToken">Ends the wait; the changes stay.</param>
    /// <exception cref="NotAppliedException">The changes are certainly not in the store.</exception>
    /// <exception cref="OutcomeUnknownException">The changes may or may not be in the store.</exception>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    public ValueTask WhenSafeAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        var message = new AwaitableMessage();
        Post(new LaneInput(LaneInputKind.Message, this, WithCaller(message)));
        return message.WaitAsync(cancellationToken);
    }

    /// <summary>
    /// Waits for admission before a change. It completes at once below the load bounds; beyond them it waits or fails, as <see
    /// cref="StoutOptions.OverloadBehavior"/> says. Fills wait for admission by themselves.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OverloadException">Too much is undurable, and the options say to fail.</exception>
    /// <exception cref="StoppedException">Stout is stopping.</exception>
    public ValueTask AdmitAsync(CancellationToken cancellationToken = default) => _lane.AdmitAsync(toChange: true, cancellationToken);

    /// <summary>Closes the handle if the key has no dirty change, no request in flight and no waiting message. A closed key costs nothing.</summary>
    /// <returns>Whether the handle is closed now.</returns>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    public ValueTask<bool> TryCloseAsync()
    {
        var waiter = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        Post(new LaneInput(LaneInputKind.TryClose, this, waiter));
        return new ValueTask<bool>(waiter.Task);
    }

    internal bool IsAdmissionOpen => _lane.IsAdmissionOpen;

    internal void EndAdmission() => _lane.EndAdmission();

    /// <summary>Posts a change that carries its bytes. Either all changes of a key carry their bytes, or no change does.</summary>
    /// <param name="change">The change; released when it is durable or has failed.</param>
    /// <param name="bytes">The size of the key's undurable bytes, including this change.</param>
    /// <exception cref="StoppedException">Stout has been stopped; the change was not made.</exception>
    internal void Push(PushedChange change, long bytes)
    {
        if (!_lane.TryPush(new LaneInput(LaneInputKind.Push, this, WithCaller(change), Bytes: (int)Math.Min(bytes, int.MaxValue))))
            throw new StoppedException();
    }

    private void Mark(LaneInputKind kind, SubKey part, Message? message = null)
    {
        CheckOpen();
        Post(new LaneInput(kind, this, WithCaller(message), part));
    }

    private void CheckOpen()
    {
        if (IsClosed)
            throw new HandleClosedException(Key, ClosedBecause);
        if (Phase == KeyPhase.Filling)
            throw new InvalidOperationException("The key is still being filled: its handle works once the fill has completed.");
    }

    /// <summary>Adds the caller's span to the message while a listener traces batches.</summary>
    private static object? WithCaller(Message? message)
        => BatchSpan.IsListenedTo && Activity.Current is { } caller ? new CallerSpan(caller.Context, message) : message;

    private void Post(in LaneInput input)
    {
        if (!_lane.TryPost(input))
            throw new StoppedException();
    }
}
