namespace Stout.Argon.Engine;

/// <summary>Waits for a request that did not complete at once.</summary>
internal sealed class Completion
{
    private readonly object _gate = new();
    private readonly TaskCompletionSource? _task;
    private bool _done;
    private Exception? _failure;

    /// <param name="server">The server.</param>
    /// <param name="request">The request.</param>
    /// <param name="blocking">Whether a thread waits instead of a task.</param>
    public Completion(ArgonServer server, Request request, bool blocking)
    {
        (Server, Request) = (server, request);
        if (!blocking)
            _task = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    public ArgonServer Server { get; }

    public Request Request { get; }

    /// <summary>Ends when the request is done. If it ends with an error, the request no longer belongs to the caller.</summary>
    /// <param name="cancellationToken">Abandons the request.</param>
    public async ValueTask WaitAsync(CancellationToken cancellationToken)
    {
        using var registration = cancellationToken.UnsafeRegister(static (waits, token) => ((Completion)waits!).Server.Cancel((Completion)waits, token), this);
        await _task!.Task.ConfigureAwait(false);
    }

    /// <inheritdoc cref="WaitAsync"/>
    public void Wait()
    {
        lock (_gate)
        {
            while (!_done)
                Monitor.Wait(_gate);
        }

        if (_failure is not null)
            throw _failure;
    }

    public void Set() => End(null);

    /// <summary>Answers the caller with an error, which no other caller gets. The request no longer belongs to the caller.</summary>
    public void Fail(Exception failure) => End(failure);

    public void Cancel(CancellationToken cancellationToken) => _task!.SetCanceled(cancellationToken);

    private void End(Exception? failure)
    {
        if (_task is not null)
        {
            if (failure is null)
                _task.SetResult();
            else
                _task.SetException(failure);
            return;
        }

        lock (_gate)
        {
            (_done, _failure) = (true, failure);
            Monitor.PulseAll(_gate);
        }
    }
}
