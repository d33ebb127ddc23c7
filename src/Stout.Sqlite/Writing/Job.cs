namespace Stout.Sqlite.Writing;

/// <summary>
/// Work that waits for the thread that owns a connection. Until it has begun it can be withdrawn; once begun it is waited for,
/// since it works on its caller's memory.
/// </summary>
internal abstract class Job<TContext>
{
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _taken;

    /// <summary>Ends when the work has, or as cancelled if it never began.</summary>
    public Task Completion => _done.Task;

    public void Execute(TContext context)
    {
        if (Interlocked.Exchange(ref _taken, true))
            return;
        try
        {
            Run(context);
            _done.SetResult();
        }
        catch (Exception error)
        {
            _done.SetException(error);
        }
    }

    public async Task WaitAsync(CancellationToken cancellationToken)
    {
        using var registration = cancellationToken.UnsafeRegister(static (job, token) => ((Job<TContext>)job!).Withdraw(token), this);
        await _done.Task.ConfigureAwait(false);
    }

    protected abstract void Run(TContext context);

    private void Withdraw(CancellationToken token)
    {
        if (!Interlocked.Exchange(ref _taken, true))
            _done.SetCanceled(token);
    }
}
