using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>
/// Work for a thread that owns a connection. Before its start a job can be withdrawn, and is then certainly not done. After its start the caller waits for
/// the job's end, since the job uses the caller's memory.
/// </summary>
internal sealed class Job<TContext>(Action<TContext> work)
{
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Null after the start or the withdrawal: a withdrawn job in the queue of a hanging thread must not keep its caller's memory alive.
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

    /// <summary>Completes with the work.</summary>
    /// <param name="limit">The longest wait before the start.</param>
    /// <param name="time">The clock of the limit.</param>
    /// <param name="cancellationToken">Withdraws the job.</param>
    /// <exception cref="OperationCanceledException">The job was withdrawn before its start.</exception>
    /// <exception cref="StoreException">The job did not start within the limit.</exception>
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
