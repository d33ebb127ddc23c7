using SQLitePCL;
using Stout.Sqlite.Native;

namespace Stout.Sqlite.Writing;

/// <summary>
/// Copies the log into the database file, between transactions and on the writer's own connection, and cuts the log's file back.
/// </summary>
/// <remarks>
/// <para>A batch that comes during a copy waits for all of it. A store at half of its capacity has idle moments all the time, and a
/// copy in each of them would delay many batches. So a copy begins when nothing has been written for as long as the last copy took: a
/// batch that comes in the middle of it then waits hardly longer than the store was idle. Without such a moment the log grows to
/// four times its length.</para>
/// <para>A reader of an older state (another program, or a long read) keeps the log from being copied, and so from beginning anew. The
/// log then grows with every write. When the reader has gone the log is copied, and its file is cut back.</para>
/// </remarks>
internal sealed class Checkpointer : IDisposable
{
    private const int Overdue = 4;

    // The log's file keeps this many times CheckpointPages. Overlapping short reads can make it exceed the four times of Overdue
    // for a moment, and a file that is cut back has to grow again.
    private const int Longest = 8;

    // A reader that has not gone after this time is no short read of ours. A batch waits for it.
    private static readonly TimeSpan CuttingPatience = TimeSpan.FromMilliseconds(20);

    // With the patience: a reader that stays costs the writer 0.4 % of its time.
    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(5);

    private readonly Connection _connection;
    private readonly int _pages;
    private readonly TimeSpan _busyTimeout;
    private readonly TimeProvider _time;
    private readonly Action<string>? _onStep;
    private readonly ITimer _timer;
    private long _uncopied;
    private long _next;
    private long _writtenAt;
    private long? _hinderedAt;
    private TimeSpan _took;

    /// <param name="connection">The writer's connection.</param>
    /// <param name="options">How many pages the log may have, among others.</param>
    /// <param name="time">Says how long nothing has been written.</param>
    /// <param name="wake">Called, on any thread, when that may be long enough.</param>
    public Checkpointer(Connection connection, SqliteOptions options, TimeProvider time, Action wake)
    {
        _connection = connection;
        (_pages, _busyTimeout, _onStep) = (options.CheckpointPages, options.BusyTimeout, options.OnStep);
        _time = time;
        _next = _pages;
        _writtenAt = time.GetTimestamp();
        _timer = time.CreateTimer(static wake => ((Action)wake!)(), wake, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>
    /// Whether the log is to be copied if no batch waits: it is long enough, and nothing has been written for as long as that takes;
    /// or it is overdue; or a reader that hindered the last copy may have gone.
    /// </summary>
    public bool IsDue => IsOverdue || (IsLong && LeftOfCalm <= TimeSpan.Zero) || LeftOfHindrance <= TimeSpan.Zero;

    /// <summary>Whether the log is so long that batches have to wait while it is copied.</summary>
    public bool IsOverdue => _uncopied >= _next + ((Overdue - 1) * (long)_pages);

    private bool IsLong => _uncopied >= _next;

    private TimeSpan LeftOfCalm => _took - _time.GetElapsedTime(_writtenAt);

    private TimeSpan? LeftOfHindrance => _hinderedAt is { } at ? RetryAfter - _time.GetElapsedTime(at) : null;

    /// <summary>The bytes to which SQLite cuts the log's file back when the log begins anew.</summary>
    /// <param name="options">How many pages the log may have.</param>
    public static long LogFileBytes(SqliteOptions options) => Longest * (long)options.CheckpointPages * Layout.PageBytes;

    /// <summary>Counts what has been written since the last call.</summary>
    public void Count()
    {
        var written = _connection.TakePagesWritten();
        if (written == 0)
            return;
        _uncopied += written;
        _writtenAt = _time.GetTimestamp();
    }

    /// <summary>Nothing else is to be done: sets the timer for the next moment at which the log may be due.</summary>
    public void AwaitDue()
    {
        var left = IsLong ? LeftOfCalm : TimeSpan.MaxValue;
        if (LeftOfHindrance is { } hindrance && hindrance < left)
            left = hindrance;
        if (left == TimeSpan.MaxValue)
            return;

        // A timer counts in whole milliseconds, and for less than one it does not ring.
        _timer.Change(TimeSpan.FromMilliseconds(Math.Max(1, Math.Ceiling(left.TotalMilliseconds))), Timeout.InfiniteTimeSpan);
    }

    public void Run()
    {
        var begun = _time.GetTimestamp();
        var mayCut = LeftOfHindrance is null || LeftOfHindrance <= TimeSpan.Zero;
        _onStep?.Invoke("before the log is copied");
        var (isCopied, pages) = _connection.Checkpoint(raw.SQLITE_CHECKPOINT_PASSIVE);
        _took = _time.GetElapsedTime(begun);
        if (isCopied)
            _uncopied = 0;
        _next = _uncopied + (isCopied ? _pages : Math.Max(1, _pages / 4));

        var isTooLong = pages > Longest * (long)_pages;
        if (isCopied && (!isTooLong || (mayCut && TryCut())))
            _hinderedAt = null;
        else if (mayCut)
            _hinderedAt = _time.GetTimestamp();
    }

    /// <summary>Copies everything and leaves an empty log, if no other process is reading.</summary>
    public void Truncate() => _connection.Checkpoint(raw.SQLITE_CHECKPOINT_TRUNCATE);

    public void Dispose() => _timer.Dispose();

    /// <summary>Leaves an empty log, for which all readers have to leave it for a moment.</summary>
    private bool TryCut()
    {
        _onStep?.Invoke("before the log is cut");
        _connection.SetBusyTimeout(CuttingPatience < _busyTimeout ? CuttingPatience : _busyTimeout);
        var isCut = _connection.Checkpoint(raw.SQLITE_CHECKPOINT_TRUNCATE).IsComplete;
        _connection.SetBusyTimeout(_busyTimeout);
        return isCut;
    }
}
