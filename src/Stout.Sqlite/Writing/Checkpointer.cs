using SQLitePCL;
using Stout.Sqlite.Native;

namespace Stout.Sqlite.Writing;

/// <summary>
/// Copies the log into the database file, between transactions and on the writer's own connection. No other connection of ours
/// writes or checkpoints, which is what SQLite's WAL-reset bug needs.
/// </summary>
internal sealed class Checkpointer(Connection connection, int pages)
{
    private const int Overdue = 4;
    private const int Reset = 16;

    private long _uncopied;
    private long _sinceReset;
    private long _next = pages;

    /// <summary>Whether the log is long enough to be copied when nothing else is to be done.</summary>
    public bool IsDue => _uncopied >= _next;

    /// <summary>Whether the log is so long that batches have to wait while it is copied.</summary>
    public bool IsOverdue => _uncopied >= _next + ((Overdue - 1) * (long)pages);

    /// <summary>Counts what has been written since the last call.</summary>
    public void Count()
    {
        var written = connection.TakePagesWritten();
        _uncopied += written;
        _sinceReset += written;
    }

    public void Run()
    {
        // Readers that always overlap keep the log from beginning anew, so at times the writer waits for them to leave it.
        var reset = _sinceReset >= Reset * (long)pages;
        var complete = connection.Checkpoint(reset ? raw.SQLITE_CHECKPOINT_RESTART : raw.SQLITE_CHECKPOINT_PASSIVE);
        if (complete && reset)
            _sinceReset = 0;
        if (complete)
            _uncopied = 0;
        _next = _uncopied + (complete ? pages : Math.Max(1, pages / 4));
    }

    /// <summary>Copies everything and leaves an empty log, if no other process is reading.</summary>
    public void Truncate() => connection.Checkpoint(raw.SQLITE_CHECKPOINT_TRUNCATE);
}
