using System.Collections.Concurrent;
using Stout.Sqlite.Native;
using Stout.Sqlite.Writing;
using Stout.Storage;

namespace Stout.Sqlite.Reading;

/// <summary>The threads that read one file, each with its own connection. The connection of a thread that has ended goes to the next thread.</summary>
internal sealed class ReaderPool : IAsyncDisposable
{
    private readonly string _path;
    private readonly FileWatch _files;
    private readonly SqliteOptions _options;
    private readonly JobQueue<ReaderSession> _queue;
    private readonly ConcurrentBag<ReaderSession> _free = [];

    public ReaderPool(string path, FileWatch files, SqliteOptions options, TimeProvider time)
    {
        (_path, _files, _options) = (path, files, options);
        _queue = new JobQueue<ReaderSession>("Stout reader " + Path.GetFileName(path), options.ReadersPerPartition, Serve, options, time);
    }

    /// <inheritdoc cref="JobQueue{TContext}.ExecuteAsync"/>
    public Task ExecuteAsync(Action<ReaderSession> work, CancellationToken cancellationToken) => _queue.ExecuteAsync(work, cancellationToken);

    /// <summary>Finishes all accepted jobs, then closes the connections.</summary>
    public async ValueTask DisposeAsync()
    {
        await _queue.CloseAsync().ConfigureAwait(false);
        foreach (var session in _free)
            session.Dispose();
    }

    private void Serve()
    {
        if (!_free.TryTake(out var session))
            session = new ReaderSession(_path, _files, _options);
        while (_queue.Take() is { } job)
            job.Execute(session);
        _free.Add(session);
    }
}
