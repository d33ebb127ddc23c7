using System.Collections.Concurrent;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>The thread that writes one file: batches in the order they came, and between them what tidies up.</summary>
internal sealed class Writer : IAsyncDisposable
{
    private readonly BlockingCollection<Job<WriterSession>> _queue = [];
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly WriterSession _session;
    private readonly Action<string>? _onStep;

    public Writer(string path, SqliteOptions options, TimeProvider time)
    {
        _onStep = options.OnStep;
        _session = new WriterSession(path, options, time, () => TryEnqueue(new WakeJob()));
        new Thread(Run) { IsBackground = true, Name = "Stout writer " + Path.GetFileName(path) }.Start();
    }

    /// <summary>Why nothing more can be done with the file until it is opened anew, or null.</summary>
    public StoreException? Poison => _session.Poison;

    /// <summary>Does a job on the writer's thread.</summary>
    /// <exception cref="OperationCanceledException">The job was withdrawn before it began.</exception>
    /// <exception cref="StoreException">The store is closed, or the job failed.</exception>
    public Task ExecuteAsync(Job<WriterSession> job, CancellationToken cancellationToken) => TryEnqueue(job)
        ? job.WaitAsync(cancellationToken)
        : Task.FromException(new StoreException(StoreErrorKind.Refused, "The store has been closed."));

    /// <summary>Finishes what was accepted, then closes the file.</summary>
    public async ValueTask DisposeAsync()
    {
        _queue.CompleteAdding();
        await _ended.Task.ConfigureAwait(false);
    }

    private bool TryEnqueue(Job<WriterSession> job)
    {
        try
        {
            return !_queue.IsAddingCompleted && _queue.TryAdd(job);
        }
        catch (InvalidOperationException)
        {
            return false; // It was closed between the two.
        }
    }

    private void Run()
    {
        try
        {
            for (;;)
            {
                // One small step of tidying at a time, so that a batch waits for one at most.
                var waiting = _queue.TryTake(out var job);
                if (_session.Maintain(idle: !waiting) && !waiting)
                    continue;
                if (!waiting)
                    _onStep?.Invoke("at rest");
                if (!waiting && !_queue.TryTake(out job, Timeout.Infinite))
                    break;
                job!.Execute(_session);
            }

            _session.Dispose();
            _ended.SetResult();
        }
        catch (Exception error)
        {
            _ended.SetException(error);
        }
    }
}
