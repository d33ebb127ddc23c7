namespace Stout.Lanes;

/// <summary>A message with a callback. Released messages of one key form a chain that one thread of the pool runs down.</summary>
internal abstract class CallbackMessage(KeyHandle handle) : Message, IThreadPoolWorkItem
{
    private static readonly CallbackMessage EndOfChain = new CallbackMessage<int>(null!, 0, static (_, _) => { });

    // The next message of the chain; EndOfChain once the runner has found none and gone.
    private CallbackMessage? _nextReleased;

    /// <summary>Makes this message run after <paramref name="last"/>, which was released before it.</summary>
    /// <returns>False if that one has run already, so that this one begins a chain of its own.</returns>
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

    /// <summary>Calls back, and lets no exception out.</summary>
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
