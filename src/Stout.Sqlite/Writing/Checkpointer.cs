using SQLitePCL;
using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>
/// Checkpoints the write-ahead log into the database file, between transactions and on the writer's connection, and truncates the log file.
/// </summary>
/// <remarks>
/// <para>A batch that arrives during a checkpoint waits for the checkpoint's end. So a checkpoint starts only after an idle time as long as the last
/// checkpoint took. A batch then waits at most about as long as the store was idle. Without such an idle time the log first grows to four times <see
/// cref="SqliteOptions.CheckpointPages"/>.</para>
/// <para>A reader of an older state (another program, or a long read) prevents the log from restarting, and the log grows with every write. After the
/// reader ends, the log is checkpointed, and its file is truncated if it has grown too long.</para>
/// </remarks>
internal sealed class Checkpointer : IDisposable
{
    private const int Overdue = 4;

    // The log file is truncated only when it is longer than this many times CheckpointPages. Overlapping short reads can let the log exceed Overdue *
    // CheckpointPages for a moment. Truncating a file of such a length would be useless, since it would have to grow again.
    private const int Longest = 8;

    // The longest wait for running reads to end before a truncation. Batches wait meanwhile. The time suffices for most reads of this process, whose
    // transactions last milliseconds.
    private static readonly TimeSpan CuttingPatience = TimeSpan.FromMilliseconds(20);

    // The time between two attempts to truncate the log while a reader prevents it. Such a reader costs the writer at most 20 ms (CuttingPatience) in 5 s,
    // 0.4 % of its time.
    private static readonly TimeSpan RetryAfter = TimeSpan.FromSeconds(5);

    private readonly Connection _connection;
    private readonly int _pages;
    private readonly TimeSpan _busyTimeout;
    private readonly TimeProvider _time;
    private readonly Action<string>? _onStep;
    private readonly ITimer _timer;
    private readonly JobPause _pause;
    private readonly long _start;
    private long _uncopied;
    private long _next;
    private long _writtenAt;
    private long? _hinderedAt;
    private TimeSpan _took;

    // The due time of the timer in ticks since the start; 0 after it has fired.
    private long _armedFor;

    /// <param name="connection">The writer's connection.</param>
    /// <param name="options">The options, with the length of the log at which checkpoints start.</param>
    /// <param name="time">The clock of idle times.</param>
    /// <param name="wake">Called on any thread when a checkpoint may be due.</param>
    public Checkpointer(Connection connection, SqliteOptions options, TimeProvider time, Action wake)
    {
        _connection = connection;
        (_pages, _busyTimeout, _onStep) = (options.CheckpointPages, options.BusyTimeout, options.OnStep);
        _time = time;
        _pause = new JobPause(Job, options.Sweeping.Interval, time, wake);
        _next = _pages;
        _writtenAt = _start = time.GetTimestamp();
        _timer = time.CreateTimer(_ => Fire(wake), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>The outcome of the checkpoints.</summary>
    public BackgroundJob Job { get; } = new("checkpoint");

    /// <summary>
    /// Whether to checkpoint if no batch waits: the log is long and the idle time sufficient, or the checkpoint is overdue. Another reason is the possible
    /// end of a reader that prevented the last checkpoint or a truncation.
    /// </summary>
    public bool IsDue => !_pause.IsOn && (IsTooLong || (IsLong && LeftOfCalm <= TimeSpan.Zero) || LeftOfHindrance <= TimeSpan.Zero);

    /// <summary>Whether the log is so long that batches must wait for a checkpoint.</summary>
    public bool IsOverdue => IsTooLong && !_pause.IsOn;

    private bool IsTooLong => _uncopied >= _next + ((Overdue - 1) * (long)_pages);

    private bool IsLong => _uncopied >= _next;

    private TimeSpan LeftOfCalm => _took - _time.GetElapsedTime(_writtenAt);

    private TimeSpan? LeftOfHindrance => _hinderedAt is { } at ? RetryAfter - _time.GetElapsedTime(at) : null;

    /// <summary>The size to which SQLite truncates the log file when the log restarts.</summary>
    /// <param name="options">The options, with the length of the log at which checkpoints start.</param>
    public static long LogFileBytes(SqliteOptions options) => Longest * (long)options.CheckpointPages * Layout.PageBytes;

    /// <summary>Counts the pages written since the last call.</summary>
    public void Count()
    {
        var written = _connection.TakePagesWritten();
        if (written == 0)
            return;
        _uncopied += written;
        _writtenAt = _time.GetTimestamp();
    }

    /// <summary>Sets the timer for the time at which the next checkpoint may be due. Called when there is no other work.</summary>
    public void AwaitDue()
    {
        var left = IsLong ? LeftOfCalm : TimeSpan.MaxValue;
        if (LeftOfHindrance is { } hindrance && hindrance < left)
            left = hindrance;
        if (left == TimeSpan.MaxValue || _pause.IsOn)
            return;

        // Timers count whole milliseconds. Rounded down, the timer would fire before the checkpoint is due.
        var wait = TimeSpan.FromMilliseconds(Math.Max(1, Math.Ceiling(left.TotalMilliseconds)));
        var now = _time.GetElapsedTime(_start).Ticks;
        var armedFor = Volatile.Read(ref _armedFor);

        // Each setting of the timer wakes a thread, so a timer that fires no later than needed stays set. If it fires before the checkpoint is due, it is
        // set again.
        if (armedFor > now && armedFor <= now + wait.Ticks)
            return;
        Volatile.Write(ref _armedFor, now + wait.Ticks);
        _timer.Change(wait, Timeout.InfiniteTimeSpan);
    }

    public void Run()
    {
        var begun = _time.GetTimestamp();
        var mayCut = LeftOfHindrance is null || LeftOfHindrance <= TimeSpan.Zero;
        _onStep?.Invoke("before the log is copied");
        var (isCopied, pages) = _connection.Checkpoint(raw.SQLITE_CHECKPOINT_PASSIVE);
        _took = _time.GetElapsedTime(begun);
        if (isCopied)
        {
            _uncopied = 0;
            _connection.ChangeHeaderLater();
        }

        _next = _uncopied + (isCopied ? _pages : Math.Max(1, _pages / 4));

        var isTooLong = pages > Longest * (long)_pages;
        if (isCopied && (!isTooLong || (mayCut && TryCut())))
            _hinderedAt = null;
        else if (mayCut)
            _hinderedAt = _time.GetTimestamp();
        _pause.End();
    }

    /// <summary>Handles an error of a checkpoint: there is a pause before the next one, so that no batch waits for each failure.</summary>
    public void Fail(Exception error) => _pause.Fail(error);

    /// <summary>Checkpoints everything and empties the log, if no other process is reading.</summary>
    public void Truncate() => _connection.Checkpoint(raw.SQLITE_CHECKPOINT_TRUNCATE);

    public void Dispose()
    {
        _timer.Dispose();
        _pause.Dispose();
    }

    private void Fire(Action wake)
    {
        Volatile.Write(ref _armedFor, 0);
        wake();
    }

    /// <summary>Empties the log, which needs a moment without readers.</summary>
    private bool TryCut()
    {
        _onStep?.Invoke("before the log is cut");
        _connection.SetBusyTimeout(CuttingPatience < _busyTimeout ? CuttingPatience : _busyTimeout);
        try
        {
            return _connection.Checkpoint(raw.SQLITE_CHECKPOINT_TRUNCATE).IsComplete;
        }
        finally
        {
            _connection.SetBusyTimeout(_busyTimeout);
        }
    }
}
