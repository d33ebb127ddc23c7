using Stout.Lanes.Core;
using Stout.Lanes.Shell;
using Stout.Paper;

namespace Stout;

/// <content>The paper's calls (section 4.4), for a client whose application serializes its objects itself.</content>
public sealed partial class KeyHandle
{
    /// <summary>
    /// Marks a part of the key, by default the object's own value, as changed (the paper's Stout.MarkDirty). The next batch writes the part.
    /// </summary>
    /// <param name="part">The part.</param>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The key is still being filled.</exception>
    public void MarkDirty(SubKey part = default) => Mark(PaperInput.MarkDirty, part);

    /// <summary><see cref="MarkDirty(SubKey)"/> and <see cref="SendMessageWhenSafe{TState}(TState, MessageCallback{TState})"/> in one cheaper call.</summary>
    /// <typeparam name="TState">The type of the callback's state; avoids a closure.</typeparam>
    /// <param name="part">The part.</param>
    /// <param name="state">Passed to the callback.</param>
    /// <param name="whenSafe">Sends the message, or reports to the message's recipient that the changes have failed.</param>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The key is still being filled.</exception>
    public void MarkDirty<TState>(SubKey part, TState state, MessageCallback<TState> whenSafe)
    {
        ArgumentNullException.ThrowIfNull(whenSafe);
        Mark(PaperInput.MarkDirty, part, new CallbackMessage<TState>(this, state, whenSafe));
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
        Mark(PaperInput.MarkDirty, part, message);
        return _lane.Answers is null ? message.WaitAsync(cancellationToken) : InTimeAsync(message.WaitAsync, cancellationToken);
    }

    /// <summary>Deletes the object with all its parts (the paper's Stout.MarkDeleted). Parts marked dirty later form a new object.</summary>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The key is still being filled.</exception>
    public void MarkDeleted() => Mark(PaperInput.MarkAllDeleted, default);

    /// <summary>Deletes one part of the object (the paper's Stout.MarkDeleted).</summary>
    /// <param name="part">The part; the empty sub-key deletes the object's own bytes and keeps its other parts.</param>
    /// <exception cref="HandleClosedException">The handle no longer works.</exception>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    /// <exception cref="InvalidOperationException">The key is still being filled.</exception>
    public void MarkDeleted(SubKey part) => Mark(PaperInput.MarkDeleted, part);

    /// <summary>
    /// Calls back when every earlier change of this key is durable or has failed (the paper's Stout.SendMessageWhenSafe). If the key has no undurable
    /// change, the callback is called at once.
    /// </summary>
    /// <typeparam name="TState">The type of the callback's state; avoids a closure.</typeparam>
    /// <param name="state">Passed to the callback.</param>
    /// <param name="callback">Sends the message, or reports to the message's recipient that the changes have failed.</param>
    /// <exception cref="StoppedException">Stout has been stopped.</exception>
    public void SendMessageWhenSafe<TState>(TState state, MessageCallback<TState> callback)
    {
        ArgumentNullException.ThrowIfNull(callback);
        Post(new LaneInput(LaneInputKind.Message, this, WithCaller(new CallbackMessage<TState>(this, state, callback))));
    }

    private void Mark(LaneInputKind kind, SubKey part, Message? message = null)
    {
        if (!_lane.Serializes)
            throw new InvalidOperationException("The client has no application that serializes the key: write the change in place of marking it.");
        CheckOpen();
        Post(new LaneInput(kind, this, WithCaller(message), part));
    }
}
