using Stout.Lanes.Core;

namespace Stout.Lanes.Shell;

/// <summary>A message with a callback. The released messages of one key form a chain, and one pool thread runs the chain in order.</summary>
internal abstract class CallbackMessage(KeyHandle handle) : Message, IThreadPoolWorkItem
{
    private static readonly CallbackMessage EndOfChain = new CallbackMessage<int>(null!, 0, static (_, _) => { });

    // The next message of the chain; EndOfChain once the thread that ran this message has found no next one.
    private CallbackMessage? _nextReleased;

    /// <summary>Appends this message to the chain of <paramref name="last"/>, the message released before it.</summary>
    /// <returns>False if <paramref name="last"/> is null or has already run, so that this message starts a new chain.</returns>
    public bool TryRunAfter(CallbackMessage? last) =>
        last is not null && Interlocked.CompareExchange(ref last._nextReleased, this, null) is null;

    public void Execute()
    {
        for (var message = this; message is not null;)
        {
            message.Deliver();
            var next = Interlocked.CompareExchange(ref message._nextReleased, EndOfChain, null);
            if (next is null)
                handle.Forget(message);
            message = next;
        }
    }

    protected void Report(Exception error) => handle.ReportCallbackError(error);

    /// <summary>Calls the callback and catches every exception.</summary>
    protected abstract void Deliver();
}

/// <inheritdoc/>
internal sealed class CallbackMessage<TState>(KeyHandle handle, TState state, MessageCallback<TState> callback) : CallbackMessage(handle)
{
    protected override void Deliver()
    {
        try
        {
            callback(state, new MessageRelease(Failure));
        }
        catch (Exception error)
        {
            Report(error);
        }
    }
}
