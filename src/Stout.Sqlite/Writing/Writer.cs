using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>The thread that writes one file: batches in order, with sweeping and checkpoints between them. A file without work has no thread.</summary>
internal sealed class Writer : IAsyncDisposable
{
    private readonly JobQueue<WriterSession> _queue;
    private readonly WriterSession _session;
    private readonly BackgroundLoop _sweeps;
    private readonly Action<string>? _onStep;

    public Writer(string path, string lockPath, SqliteOptions options, TimeProvider time)
    {
        _onStep = options.OnStep;
        _queue = new JobQueue<WriterSession>("Stout writer " + Path.GetFileName(path), mostThreads: 1, Serve, options, time);
        _session = new WriterSession(path, lockPath, options, time, Wake);
        _sweeps = new BackgroundLoop(time, options.Sweeping.Interval, new BackgroundJob("wake"), WakeIfDueAsync);
        Wake();
    }

    /// <summary>The error that makes the file unusable until it is opened again, or null.</summary>
    public StoreException? Poison => _session.Poison;

    /// <inheritdoc cref="IStorePartition.BackgroundJobs"/>
    public IReadOnlyList<BackgroundJob> Jobs => _session.Jobs;

    /// <inheritdoc cref="IStorePartition.PreferredInFlight"/>
    public int PreferredInFlight => _session.Preference.InFlight;

    /// <summary>The watch on the open files.</summary>
    public FileWatch Files => _session.Files;

    /// <inheritdoc cref="JobQueue{TContext}.ExecuteAsync"/>
    public Task ExecuteAsync(Action<WriterSession> work, CancellationToken cancellationToken) => _queue.ExecuteAsync(work, cancellationToken);

    /// <summary>Finishes all accepted jobs, then closes the file.</summary>
    public async ValueTask DisposeAsync()
    {
        await _sweeps.DisposeAsync().ConfigureAwait(false);
        await _queue.CloseAsync().ConfigureAwait(false);
        // The last checkpoint blocks for as long as the disk takes.
        await Task.Factory.StartNew(_session.Dispose, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).ConfigureAwait(false);
    }

    private void Wake() => _queue.Post(static session => session.Wake());

    private ValueTask WakeIfDueAsync(CancellationToken cancellationToken) =>
        _session.IsSweepDue ? new(ExecuteAsync(static session => session.Wake(), cancellationToken)) : default;

    private void Serve()
    {
        for (;;)
        {
            // One small maintenance step at a time, so that a batch waits for at most one.
            var job = _queue.TryTake();
            if (_session.Maintain(idle: job is null) && job is null)
                continue;
            if (job is null)
                _onStep?.Invoke("at rest");
            job ??= _queue.Take();
            if (job is null)
                break;
            job.Execute(_session);
        }

        _onStep?.Invoke("without a thread");
    }
}
