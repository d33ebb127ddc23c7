using System.Diagnostics;
using Stout.Diagnostics;
using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Storage;

namespace Stout;

/// <summary>
/// The handle of a filled key. It belongs to one fill: after the key has failed or the handle was closed, fill the key again for a new handle. All
/// members are thread-safe and do not block.
/// </summary>
/// <remarks>
/// Mark a change inside the same critical section that makes it. Otherwise another request may read the changed object, and its reply may be released
/// before the change is durable. The typed layer (<c>Stout.Documents</c>) does this by itself.
/// </remarks>
[DebuggerDisplay("{Key}, {Phase}, epoch {Epoch}")]
public sealed partial class KeyHandle
{
    private readonly ILaneIntake _lane;

    internal KeyHandle(ILaneIntake lane, PartitionKey key)
    {
        _lane = lane;
        Key = key;
    }

    /// <summary>The key.</summary>
    public PartitionKey Key { get; }

    /// <summary>
    /// The owner under which the key was filled; every write of the handle names this owner. A key filled without a claim has an unclaimed owner (<see
    /// cref="KeyOwner.IsClaimed"/>).
    /// </summary>
    public KeyOwner Owner => _ownership?.Owner ?? KeyOwner.None;

    /// <summary>The number of the ownership under which the key was filled; 0 for a key that was never claimed.</summary>
    public long Epoch => Owner.Epoch;

    /// <summary>
    /// The stamp of the key's last write that this handle has read, or that the store has acknowledged to it. <see cref="Stamp.Absent"/> for a key
    /// that was never written. A closed handle keeps its last version.
    /// </summary>
    public Stamp Version
    {
        get
        {
            // The lane writes the 32 bytes of the stamp without a lock. If a write overlaps with this read, the loop reads again.
            while (true)
            {
                var before = Volatile.Read(ref _versionWrites);
                var version = _stored;
                Volatile.ReadBarrier();
                if (before % 2 == 0 && before == Volatile.Read(ref _versionWrites))
                    return version;
                Thread.SpinWait(1);
            }
        }
    }

    /// <summary>Whether the handle has stopped working: its key has failed, or it was closed.</summary>
    public bool IsClosed => _phase == KeyPhase.Closed;

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
        var message = Send(new AwaitableMessage());
        return _lane.Answers is null ? message.WaitAsync(cancellationToken) : InTimeAsync(message.WaitAsync, cancellationToken);
    }

    /// <summary>
    /// As <see cref="WhenSafeAsync"/>, and returns the version under which the changes are durable. That version may include changes that were marked later.
    /// </summary>
    /// <inheritdoc cref="WhenSafeAsync" path="/param|/exception"/>
    /// <returns>The key's version when the changes had become durable.</returns>
    public ValueTask<Stamp> VersionWhenSafeAsync(CancellationToken cancellationToken = default)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled<Stamp>(cancellationToken);
        var message = Send(new VersionMessage());
        return _lane.Answers is null ? message.WaitForVersionAsync(cancellationToken) : LimitAsync();

        async ValueTask<Stamp> LimitAsync()
        {
            await InTimeAsync(async token => await message.WaitForVersionAsync(token).ConfigureAwait(false), cancellationToken).ConfigureAwait(false);
            return message.Version;
        }
    }

    /// <summary>
    /// Completes when every earlier change is durable, and the store has confirmed after this call that the key still has this handle's owner. So no
    /// other owner can have changed the key before this call, and replies may depend on the object in memory (the paper, section 4.1). For a handle
    /// without a claim, the store confirms instead that the key's version is the last one that this client has read or written.
    /// </summary>
    /// <remarks>Concurrent confirmations share small reads of the store, across callers and keys.</remarks>
    /// <param name="cancellationToken">Stops the waiting.</param>
    /// <exception cref="FencedException">Another owner has claimed the key. The handle no longer works.</exception>
    /// <exception cref="ConflictException">Another client has written the key, which is not claimed. The handle no longer works.</exception>
    /// <exception cref="UnconfirmedException">The store could not be asked, for longer than <see cref="StoutOptions.UnreachableTimeout"/>.</exception>
    /// <exception cref="NotAppliedException">The changes are certainly not in the store.</exception>
    /// <exception cref="OutcomeUnknownException">The changes may or may not be in the store.</exception>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="OperationCanceledException">The waiting was cancelled.</exception>
    public async ValueTask ConfirmAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        using var limit = new AnswerLimit(_lane.Answers, cancellationToken);
        await ConfirmInTimeAsync(limit, maySeeChanges: true).ConfigureAwait(false);
    }

    /// <summary><see cref="ConfirmAsync"/> for a caller with a time limit of its own.</summary>
    /// <param name="limit">The caller's limit.</param>
    /// <param name="maySeeChanges">Whether the caller's answer may depend on changes that are not durable; otherwise its answer is only unconfirmed.</param>
    internal async ValueTask ConfirmInTimeAsync(AnswerLimit limit, bool maySeeChanges)
    {
        // The wait for the changes is posted before the confirmation. A failed confirmation closes the handle. A wait posted later would then fail
        // because the handle is closed, even if the changes are durable.
        var safe = Send(new AwaitableMessage()).WaitAsync(limit.Token);
        var message = new AwaitableMessage();
        Post(new LaneInput(LaneInputKind.Confirm, this, message));
        var confirmed = message.WaitAsync(limit.Token);
        try
        {
            await safe.ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (limit.HasEnded)
        {
            await confirmed.AsTask().ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw limit.ErrorOf(maySeeChanges ? NotAnsweredInTime() : UnconfirmedInTime());
        }
        catch
        {
            // Throws the failure of the changes. The confirmation then fails only because the handle is closed, which tells less.
            await confirmed.AsTask().ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }

        try
        {
            await confirmed.ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (limit.HasEnded)
        {
            throw limit.ErrorOf(UnconfirmedInTime());
        }
    }

    /// <summary>
    /// Waits for admission; call it before a change. It completes at once while the load bounds of the options are not reached. Otherwise it waits or fails as
    /// <see cref="StoutOptions.OverloadBehavior"/> says. Fills wait for admission by themselves.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="OverloadException">Too much is undurable, and the options say to fail.</exception>
    /// <exception cref="StoppedException">Stout is stopping.</exception>
    public ValueTask AdmitAsync(CancellationToken cancellationToken = default)
    {
        return _lane.Answers is null || _lane.IsAdmissionOpen ? WaitForAdmissionAsync(cancellationToken) : LimitAsync();

        async ValueTask LimitAsync()
        {
            using var limit = new AnswerLimit(_lane.Answers, cancellationToken);
            try
            {
                await WaitForAdmissionAsync(limit.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (limit.HasEnded)
            {
                throw limit.ErrorOf(new OverloadException(_lane.RetryAfter));
            }
        }
    }

    /// <summary>
    /// Closes the handle if the key has no dirty change, no request in flight and no waiting message. The client keeps no memory for a closed key.
    /// </summary>
    /// <returns>Whether the handle is closed now.</returns>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    public ValueTask<bool> TryCloseAsync()
    {
        var waiter = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        Post(new LaneInput(LaneInputKind.TryClose, this, waiter));
        return new ValueTask<bool>(waiter.Task);
    }

    /// <summary>
    /// Closes the handle as soon as the key has no dirty change and no request in flight. Changes that are marked meanwhile are made durable first. Afterwards
    /// <see cref="Owner"/> and <see cref="Version"/> are final, so that another process can open the key with them (<see cref="StoutClient.OpenAtAsync"/>).
    /// </summary>
    /// <param name="cancellationToken">Stops the waiting; the handle may still work then.</param>
    /// <exception cref="NotAppliedException">Changes are certainly not in the store.</exception>
    /// <exception cref="OutcomeUnknownException">Changes may or may not be in the store.</exception>
    /// <exception cref="HandleClosedException">The key has failed before.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="OperationCanceledException">The waiting was cancelled.</exception>
    public async ValueTask CloseWhenDrainedAsync(CancellationToken cancellationToken = default)
    {
        await InTimeAsync(
            async token =>
            {
                while (!await TryCloseAsync().ConfigureAwait(false))
                    await Send(new AwaitableMessage()).WaitAsync(token).ConfigureAwait(false);
            },
            cancellationToken).ConfigureAwait(false);
        if (ClosedBecause is { } failure)
            throw new HandleClosedException(Key, failure);
    }

    internal bool IsAdmissionOpen => _lane.IsAdmissionOpen;

    /// <summary><see cref="AdmitAsync"/> for a caller with a time limit of its own.</summary>
    internal ValueTask WaitForAdmissionAsync(CancellationToken cancellationToken) => _lane.AdmitAsync(toChange: true, cancellationToken);

    internal void EndAdmission() => _lane.EndAdmission();

    /// <summary>Posts a change that carries its bytes, and fits into one store request.</summary>
    /// <param name="change">The change; released when it is durable or has failed.</param>
    /// <exception cref="StoppedException">Stout has been stopped; the change was not made.</exception>
    internal void Push(PushedChange change)
    {
        if (!_lane.TryPush(new LaneInput(LaneInputKind.Push, this, WithCaller(change), Bytes: (int)Math.Min(change.Bytes, int.MaxValue))))
            throw new StoppedException();
    }

    /// <summary>Waits for this key's changes within <see cref="StoutOptions.AnswerWithin"/>. After it the changes stay, and the handle still works.</summary>
    private async ValueTask InTimeAsync(Func<CancellationToken, ValueTask> wait, CancellationToken cancellationToken)
    {
        using var limit = new AnswerLimit(_lane.Answers, cancellationToken);
        try
        {
            await wait(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (limit.HasEnded)
        {
            throw limit.ErrorOf(NotAnsweredInTime());
        }
    }

    private OutcomeUnknownException NotAnsweredInTime() => new(Key, OutcomeUnknownReason.NotAnsweredInTime);

    private UnconfirmedException UnconfirmedInTime() => new(Key, AnswerLimits.Passed());

    private void CheckOpen()
    {
        if (IsClosed)
            throw new HandleClosedException(Key, ClosedBecause);
        if (Phase == KeyPhase.Filling)
            throw new InvalidOperationException("The key is still being filled: its handle works once the fill has completed.");
    }

    /// <summary>Wraps the message together with the caller's span, if a listener traces batches and the caller has a span.</summary>
    private static object? WithCaller(Message? message)
        => BatchSpan.IsListenedTo && Activity.Current is { } caller ? new CallerSpan(caller.Context, message) : message;

    private T Send<T>(T message)
        where T : Message
    {
        Post(new LaneInput(LaneInputKind.Message, this, WithCaller(message)));
        return message;
    }

    private void Post(in LaneInput input)
    {
        if (!_lane.TryPost(input))
            throw new StoppedException();
    }
}
