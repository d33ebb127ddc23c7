using Stout.Sqlite.Native;
using Stout.Sqlite.Writing;
using Stout.Storage;

namespace Stout.Sqlite.Reading;

/// <summary>The threads that read one file, each with its own connection. A thread starts when no other is free.</summary>
internal sealed class ReaderPool(string path, FileWatch files, SqliteOptions options, TimeProvider time) : IAsyncDisposable
{
    private readonly JobQueue<ReaderSession> _queue = new(options, time);
    private readonly List<Task> _ends = [];
    private readonly Lock _starting = new();
    private int _idle;
    private bool _isClosed;

    /// <inheritdoc cref="JobQueue{TContext}.ExecuteAsync"/>
    public Task ExecuteAsync(Action<ReaderSession> work, CancellationToken cancellationToken)
    {
        lock (_starting)
        {
            var executing = _queue.ExecuteAsync(work, cancellationToken);
            if (!_isClosed && _ends.Count < options.ReadersPerPartition && _queue.Count > Volatile.Read(ref _idle))
                Start();
            return executing;
        }
    }

    /// <summary>Finishes all accepted jobs, then closes the connections.</summary>
    public async ValueTask DisposeAsync()
    {
        lock (_starting)
        {
            _isClosed = true;
            _queue.Close();
        }

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
            using (var session = new ReaderSession(path, files, options))
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
            return _queue.Take();
        }
        finally
        {
            Interlocked.Decrement(ref _idle);
        }
    }
}
