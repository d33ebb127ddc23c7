using System.Diagnostics;
using Stout.Diagnostics;
using Stout.Lanes;

namespace Stout;

/// <summary>
/// A filled key: its ownership, and the calls on it. Belongs to one fill: once the key has failed, or the handle was closed, only a
/// later fill's handle works. Every call may come from any thread; none blocks.
/// </summary>
/// <remarks>
/// Mark a change inside the same critical section that makes it. Otherwise another request may read the changed object and have its
/// reply released before the change is durable. The typed layer (<c>Stout.Documents</c>) does this for you.
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

    /// <summary>The number of the ownership under which the key was filled; 0 without leases.</summary>
    public long Epoch { get; }

    /// <summary>Whether the handle no longer works: its key has failed, or it was closed.</summary>
    public bool IsClosed => _phase == KeyPhase.Closed;

    /// <summary>Stout.MarkDirty: a part of the key (by default the object itself) has changed in memory and is to be made durable.</summary>
    /// <param name="part">The part.</param>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The key is still being filled.</exception>
    public void MarkDirty(SubKey part = default) => Mark(LaneInputKind.MarkDirty, part);

    /// <summary><see cref="MarkDirty(SubKey)"/> and <see cref="SendMessageWhenSafe"/> in one step, which is cheaper than the two.</summary>
    /// <typeparam name="TState">Type of what the message needs; saves a closure.</typeparam>
    /// <param name="part">The part.</param>
    /// <param name="state">Passed to the callback.</param>
    /// <param name="whenSafe">Sends the message, or tells its client of the failure.</param>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The key is still being filled.</exception>
    public void MarkDirty<TState>(SubKey part, TState state, MessageCallback<TState> whenSafe)
    {
        ArgumentNullException.ThrowIfNull(whenSafe);
        Mark(LaneInputKind.MarkDirty, part, new CallbackMessage<TState>(this, state, whenSafe));
    }

    /// <summary><see cref="MarkDirty(SubKey)"/> and <see cref="WhenSafeAsync"/> in one step, which is cheaper than the two.</summary>
    /// <param name="part">The part.</param>
    /// <param name="cancellationToken">Stops the waiting, never the change.</param>
    /// <exception cref="NotAppliedException">The change is certainly not in the store.</exception>
    /// <exception cref="OutcomeUnknownException">The change may or may not be in the store.</exception>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The key is still being filled.</exception>
    /// <exception cref="OperationCanceledException">The waiting was cancelled.</exception>
    public ValueTask MarkDirtyAsync(SubKey part = default, CancellationToken cancellationToken = default)
    {
        var message = new AwaitableMessage();
        Mark(LaneInputKind.MarkDirty, part, message);
        return message.WaitAsync(cancellationToken);
    }

    /// <summary>Stout.MarkDeleted: the whole object goes, with all its parts. Parts marked dirty later begin a new one.</summary>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The key is still being filled.</exception>
    public void MarkDeleted() => Mark(LaneInputKind.MarkAllDeleted, default);

    /// <summary>Stout.MarkDeleted: one part of the object goes.</summary>
    /// <param name="part">The part; the empty sub-key deletes the object's own bytes and leaves its other parts.</param>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The key is still being filled.</exception>
    public void MarkDeleted(SubKey part) => Mark(LaneInputKind.MarkDeleted, part);

    /// <summary>
    /// Stout.SendMessageWhenSafe: calls back once every change of this key that was marked before this call is durable, or has failed;
    /// at once if there is none.
    /// </summary>
    /// <typeparam name="TState">Type of what the message needs; saves a closure.</typeparam>
    /// <param name="state">Passed to the callback.</param>
    /// <param name="callback">Sends the message, or tells its client of the failure.</param>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    public void SendMessageWhenSafe<TState>(TState state, MessageCallback<TState> callback)
    {
        ArgumentNullException.ThrowIfNull(callback);
        Post(new LaneInput(LaneInputKind.Message, this, WithCaller(new CallbackMessage<TState>(this, state, callback))));
    }

    /// <summary>
    /// Completes once every change of this key that was marked before this call is durable. Continuations run in no particular order.
    /// </summary>
    /// <param name="cancellationToken">Stops the waiting, never the change.</param>
    /// <exception cref="NotAppliedException">The changes are certainly not in the store.</exception>
    /// <exception cref="OutcomeUnknownException">The changes may or may not be in the store.</exception>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="OperationCanceledException">The waiting was cancelled.</exception>
    public ValueTask WhenSafeAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        var message = new AwaitableMessage();
        Post(new LaneInput(LaneInputKind.Message, this, WithCaller(message)));
        return message.WaitAsync(cancellationToken);
    }

    /// <summary>
    /// Call before a change: completes at once while little is undurable, otherwise waits or fails as
    /// <see cref="StoutOptions.OverloadBehavior"/> says. (Fill does so by itself.)
    /// </summary>
    /// <param name="cancellationToken">Stops the waiting.</param>
    /// <exception cref="OverloadException">Too much is undurable, and the options say to fail.</exception>
    /// <exception cref="StoppedException">Stout is stopping.</exception>
    public ValueTask AdmitAsync(CancellationToken cancellationToken = default) => _lane.AdmitAsync(toChange: true, cancellationToken);

    /// <summary>
    /// Gives the key up, if nothing of it is dirty or in flight and no message waits for it. From then on the handle no longer works,
    /// and the key costs nothing.
    /// </summary>
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

    /// <summary>Makes a change durable whose bytes come with it. All changes of a key do, or none does.</summary>
    /// <param name="change">The change; released once it is durable, or has failed.</param>
    /// <param name="bytes">The bytes of all that is undurable of the key, with this change.</param>
    /// <exception cref="StoppedException">Stout has been stopped; the change is not made.</exception>
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

    /// <summary>While a listener traces batches, the lane learns of the caller's span.</summary>
    private static object? WithCaller(Message? message)
        => BatchSpan.IsListenedTo && Activity.Current is { } caller ? new CallerSpan(caller.Context, message) : message;

    private void Post(in LaneInput input)
    {
        if (!_lane.TryPost(input))
            throw new StoppedException();
    }
}
