using System.Collections.Concurrent;
using Stout.Sqlite.Writing;
using Stout.Storage;

namespace Stout.Sqlite.Reading;

/// <summary>The threads that read one file, each with its own connection. One is started when no other is free.</summary>
internal sealed class ReaderPool(string path, SqliteOptions options) : IAsyncDisposable
{
    private readonly BlockingCollection<Job<ReaderSession>> _queue = [];
    private readonly List<Task> _ends = [];
    private readonly Lock _starting = new();
    private int _idle;

    /// <summary>Does a job on one of the readers' threads.</summary>
    /// <exception cref="OperationCanceledException">The job was withdrawn before it began.</exception>
    /// <exception cref="StoreException">The store is closed.</exception>
    public Task ExecuteAsync(Job<ReaderSession> job, CancellationToken cancellationToken)
    {
        lock (_starting)
        {
            if (_queue.IsAddingCompleted)
                return Task.FromException(new StoreException(StoreErrorKind.Refused, "The store has been closed."));
            _queue.Add(job, CancellationToken.None);
            if (_ends.Count < options.ReadersPerPartition && _queue.Count > Volatile.Read(ref _idle))
                Start();
        }

        return job.WaitAsync(cancellationToken);
    }

    /// <summary>Finishes what was accepted, then closes the connections.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (_starting)
            _queue.CompleteAdding();
        await Task.WhenAll(_ends).ConfigureAwait(false);
    }

    private void Start()
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _ends.Add(ended.Task);
        new Thread(() => Run(ended)) { IsBackground = true, Name = "Stout reader " + Path.GetFileName(path) }.Start();
    }

    private void Run(TaskCompletionSource ended)
    {
        try
        {
            using (var session = new ReaderSession(path, options.BusyTimeout))
            {
                while (Take() is { } job)
                    job.Execute(session);
            }

            ended.SetResult();
        }
        catch (Exception error)
        {
            ended.SetException(error);
        }
    }

    private Job<ReaderSession>? Take()
    {
        Interlocked.Increment(ref _idle);
        try
        {
            return _queue.TryTake(out var job, Timeout.Infinite) ? job : null;
        }
        finally
        {
            Interlocked.Decrement(ref _idle);
        }
    }
}
