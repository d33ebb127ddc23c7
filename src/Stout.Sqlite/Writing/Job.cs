using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>
/// Work that waits for the thread that owns a connection. Until it has begun it can be withdrawn, and then it is certainly not done;
/// once begun it is waited for, since it works on its caller's memory.
/// </summary>
internal sealed class Job<TContext>(Action<TContext> work)
{
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Null once begun or withdrawn: a withdrawn job in the queue of a thread that hangs does not keep its caller's memory alive.
    private Action<TContext>? _work = work;

    public void Execute(TContext context)
    {
        if (Take() is not { } taken)
            return;
        try
        {
            taken(context);
            _done.SetResult();
        }
        catch (Exception error)
        {
            _done.SetException(error);
        }
    }

    /// <summary>Ends when the work has.</summary>
    /// <param name="limit">How long the job may wait for its beginning.</param>
    /// <param name="time">Measures the limit.</param>
    /// <param name="cancellationToken">Withdraws the job.</param>
    /// <exception cref="OperationCanceledException">The job was withdrawn before it began.</exception>
    /// <exception cref="StoreException">The job did not begin within the limit.</exception>
    public async Task WaitAsync(TimeSpan limit, TimeProvider time, CancellationToken cancellationToken)
    {
        await using var timer = time.CreateTimer(static job => ((Job<TContext>)job!).End(), this, limit, Timeout.InfiniteTimeSpan).ConfigureAwait(false);
        using var registration = cancellationToken.UnsafeRegister(static (job, token) => ((Job<TContext>)job!).Withdraw(token), this);
        await _done.Task.ConfigureAwait(false);
    }

    private Action<TContext>? Take() => Interlocked.Exchange(ref _work, null);

    private void Withdraw(CancellationToken token)
    {
        if (Take() is not null)
            _done.SetCanceled(token);
    }

    private void End()
    {
        if (Take() is not null)
            _done.SetException(new StoreException(StoreErrorKind.Overloaded, "The file is busy with earlier requests."));
    }
}
