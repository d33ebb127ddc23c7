using Stout.Sqlite.Native;
using Stout.Sqlite.Setup;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>The single writing connection of a file, used by one thread at a time.</summary>
internal sealed class WriterSession : IDisposable
{
    private readonly Connection _connection;
    private readonly Sweeper _sweeper;
    private readonly KeyWriter _keys;
    private readonly KeyedTransaction _transaction;
    private readonly Checkpointer _checkpoints;
    private readonly LastingLocks _locks;
    private volatile StoreException? _poison;
    private bool _rests;

    public WriterSession(string path, string lockPath, SqliteOptions options, TimeProvider time, Action wake)
    {
        _connection = Connection.OpenForWriting(path, options.BusyTimeout, buffersLog: !options.UnsafeSynchronousOff);
        try
        {
            SchemaCheck.Run(_connection, "The database file");
            Configure(_connection, options);
            _checkpoints = new Checkpointer(_connection, options, time, wake);

            SecureLog(_connection, _checkpoints);
            Files = new FileWatch(path, path + "-wal", lockPath);
            _locks = new LastingLocks(path);
            _sweeper = new Sweeper(_connection, time, options.Sweeping, wake, options.OnStep);
            _keys = new KeyWriter(_connection, _sweeper);
            _transaction = new KeyedTransaction(_connection, Files, _sweeper, Preference, time, options.OnStep);
        }
        catch
        {
            _checkpoints?.Dispose();
            _locks?.Release();
            _connection.Dispose();
            _locks?.Dispose();
            throw;
        }
    }

    /// <summary>The error that makes the file unusable until it is opened again, or null. Thread-safe.</summary>
    public StoreException? Poison => _poison;

    /// <summary>The watch on the open files. Thread-safe.</summary>
    public FileWatch Files { get; }

    /// <summary>The outcomes of maintenance. Thread-safe.</summary>
    public IReadOnlyList<BackgroundJob> Jobs => [_sweeper.Job, _checkpoints.Job];

    /// <summary>Whether the next sweep has work. Thread-safe; an answer may be of a moment before.</summary>
    public bool IsSweepDue => _sweeper.IsDue;

    /// <summary>How many write requests serve the file best. Thread-safe.</summary>
    public RequestPreference Preference { get; } = new();

    /// <summary>Commits a batch and sets the outcome of each key.</summary>
    public void Write(WriteBatch batch) => Guard(() => _transaction.Run(new BatchWriter(batch, _keys)), batch.Fail);

    /// <summary>Gives keys their new owners, durably, and sets the outcome of each key whose claim is refused or fails.</summary>
    public void Claim(ReadBatch batch, IReadOnlyList<int> indexes) =>
        Guard(() => _transaction.Run(new ClaimWriter(batch, indexes, _keys)), static error => throw error);

    /// <summary>Raises the file's epoch floor to at least an epoch, durably.</summary>
    public void RaiseEpochFloor(long epoch) => Guard(
        () =>
        {
            Files.Check();
            _connection.BeginWriting();
            _connection.Execute(FormattableString.Invariant($"UPDATE identity SET epoch_floor = {epoch} WHERE epoch_floor < {epoch}"));
            _connection.Commit();
            Files.Check();
        },
        static error => throw error);

    /// <summary>Resumes maintenance: headers may be due for removal, or the log for a checkpoint.</summary>
    public void Wake() => _rests = false;

    /// <summary>Takes one small maintenance step, if any is due.</summary>
    /// <param name="idle">Whether no batch waits.</param>
    public bool Maintain(bool idle)
    {
        if (_poison is not null || _rests || !(idle || _checkpoints.IsOverdue))
            return false;
        var isCheckpoint = _checkpoints.IsDue;
        try
        {
            var worked = true;
            Guard(() => worked = Tidy(isCheckpoint), Rest);
            return worked && !_rests;
        }
        catch (Exception error)
        {
            // No error may end the writer's thread.
            Rest(error);
            return false;
        }

        // The next batch resumes maintenance, but the failed job has a pause.
        void Rest(Exception error)
        {
            _rests = true;
            if (isCheckpoint)
                _checkpoints.Fail(error);
            else
                _sweeper.Fail(error);
        }
    }

    private bool Tidy(bool isCheckpoint)
    {
        var worked = true;
        if (isCheckpoint)
            _checkpoints.Run();
        else
            worked = _sweeper.Step();
        if (!worked)
            _checkpoints.AwaitDue();
        return worked;
    }

    public void Dispose()
    {
        _checkpoints.Dispose();
        _sweeper.Dispose();
        if (_poison is null)
            Guard(_checkpoints.Truncate, static _ => { });
        _locks.Release();
        _connection.Dispose();
        _locks.Dispose();
    }

    private static void Configure(Connection connection, SqliteOptions options)
    {
        var synchronous = options.UnsafeSynchronousOff ? "OFF" : "FULL";
        connection.Execute($"PRAGMA journal_mode = WAL; PRAGMA cache_size = -8192; PRAGMA synchronous = {synchronous}");
        connection.Execute(FormattableString.Invariant($"PRAGMA journal_size_limit = {Checkpointer.LogFileBytes(options)}"));
        if (options.MaxDatabaseBytes is not { } bytes)
            return;
        var pages = Math.Min(bytes / Layout.PageBytes, int.MaxValue);
        connection.Execute(FormattableString.Invariant($"PRAGMA max_page_count = {pages}"));
    }

    /// <summary>
    /// Makes the log durable. A killed process may have left a commit that was written but not synced, and readers would take it for durable. The new header
    /// tells the file from its earlier states and from every backup (<see cref="LogMark"/>).
    /// </summary>
    private static void SecureLog(Connection connection, Checkpointer checkpoints)
    {
        connection.ChangeHeaderLater();
        Attempt(connection.ChangeHeader);
        Attempt(checkpoints.Truncate);

        // A full disk, or another program's transaction, does not prevent the opening. A checkpoint syncs the log before it copies the first page, so the log
        // is durable and can stay.
        static void Attempt(Action action)
        {
            try
            {
                action();
            }
            catch (SqliteFailure failure) when (failure.Primary is SQLitePCL.raw.SQLITE_FULL or SQLitePCL.raw.SQLITE_BUSY)
            {
            }
        }
    }

    /// <summary>Runs work on the connection. Afterwards no transaction is open, and a failed disk is not used again.</summary>
    private void Guard(Action work, Action<StoreException> fail)
    {
        if (_poison is { } poison)
        {
            fail(poison);
            return;
        }

        try
        {
            _rests = false;
            work();
            _checkpoints.Count();
        }
        catch (SqliteFailure failure)
        {
            Abort(failure);
            fail(_poison ?? SqliteErrors.Classify(failure));
        }
        catch
        {
            // After an error such as exhausted memory, no open transaction may remain for the next work.
            Abort(null);
            throw;
        }
    }

    private void Abort(SqliteFailure? failure)
    {
        var poison = failure is { Poisons: true } ? failure : null;
        _sweeper.Reconsider();
        try
        {
            _connection.Rollback();
        }
        catch (SqliteFailure second)
        {
            poison ??= second;
        }

        if (poison is null)
            return;
        _connection.KeepLogOnClose();
        _poison = SqliteErrors.ClassifyForGood(poison);
    }
}
