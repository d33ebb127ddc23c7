using SQLitePCL;
using Stout.Sqlite.Native;

namespace Stout.Sqlite.Writing;

/// <summary>
/// Copies the log into the database file, between transactions and on the writer's own connection.
/// </summary>
/// <remarks>
/// Whoever comes meanwhile waits for all of it. That no batch waits at the moment says little: a store that is half busy has such moments all the
/// time, and would be copying its log for a good part of it. So it is done when nothing has been written for as long as it took the last time: who then
/// comes in the middle of it waits for hardly longer than it had been calm. Where there is no such moment the log may become four times as long.
/// </remarks>
internal sealed class Checkpointer : IDisposable
{
    private const int Overdue = 4;
    private const int Reset = 16;

    private readonly Connection _connection;
    private readonly int _pages;
    private readonly TimeProvider _time;
    private readonly Action<string>? _onStep;
    private readonly ITimer _calm;
    private long _uncopied;
    private long _sinceReset;
    private long _next;
    private long _writtenAt;
    private TimeSpan _took;

    /// <param name="connection">The writer's connection.</param>
    /// <param name="options">How many pages the log may have, among others.</param>
    /// <param name="time">Says how long nothing has been written.</param>
    /// <param name="wake">Called, on any thread, when that may be long enough.</param>
    public Checkpointer(Connection connection, SqliteOptions options, TimeProvider time, Action wake)
    {
        _connection = connection;
        (_pages, _onStep) = (options.CheckpointPages, options.OnStep);
        _time = time;
        _next = _pages;
        _writtenAt = time.GetTimestamp();
        _calm = time.CreateTimer(static wake => ((Action)wake!)(), wake, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Whether the log is to be copied if no batch waits: it is long enough, and nothing has been written for as long as that takes; or it is overdue.</summary>
    public bool IsDue => IsOverdue || (IsLong && LeftOfCalm <= TimeSpan.Zero);

    /// <summary>Whether the log is so long that batches have to wait while it is copied.</summary>
    public bool IsOverdue => _uncopied >= _next + ((Overdue - 1) * (long)_pages);

    private bool IsLong => _uncopied >= _next;

    private TimeSpan LeftOfCalm => _took - _time.GetElapsedTime(_writtenAt);

    /// <summary>Counts what has been written since the last call.</summary>
    public void Count()
    {
        var written = _connection.TakePagesWritten();
        if (written == 0)
            return;
        _uncopied += written;
        _sinceReset += written;
        _writtenAt = _time.GetTimestamp();
    }

    /// <summary>Nothing else is to be done: sets the timer for when it has been calm for long enough.</summary>
    public void AwaitCalm()
    {
        if (!IsLong)
            return;
        // A timer counts in whole milliseconds, and of less than one it would make none.
        var left = Math.Max(1, Math.Ceiling(LeftOfCalm.TotalMilliseconds));
        _calm.Change(TimeSpan.FromMilliseconds(left), Timeout.InfiniteTimeSpan);
    }

    public void Run()
    {
        var begun = _time.GetTimestamp();
        _onStep?.Invoke("before the log is copied");
        // Readers that always overlap keep the log from beginning anew, so at times the writer waits for them to leave it.
        var reset = _sinceReset >= Reset * (long)_pages;
        var complete = _connection.Checkpoint(reset ? raw.SQLITE_CHECKPOINT_RESTART : raw.SQLITE_CHECKPOINT_PASSIVE);
        if (complete && reset)
            _sinceReset = 0;
        if (complete)
            _uncopied = 0;
        _next = _uncopied + (complete ? _pages : Math.Max(1, _pages / 4));
        _took = _time.GetElapsedTime(begun);
    }

    /// <summary>Copies everything and leaves an empty log, if no other process is reading.</summary>
    public void Truncate() => _connection.Checkpoint(raw.SQLITE_CHECKPOINT_TRUNCATE);

    public void Dispose() => _calm.Dispose();
}
