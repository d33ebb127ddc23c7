using System.Security.Cryptography;
using SQLitePCL;

namespace Stout.Sqlite.Native;

/// <summary>One connection to one file. Used by one thread at a time.</summary>
internal sealed class Connection : IDisposable
{
    private const int CachePagesWritten = 9; // SQLITE_DBSTATUS_CACHE_WRITE

    private readonly sqlite3 _db;
    private readonly List<Statement> _statements = [];
    private Statement? _beginWriting;
    private Statement? _beginReading;
    private Statement? _commit;
    private bool _changesHeader;
    private int _changesBefore;

    static Connection() => Batteries_V2.Init();

    private Connection(sqlite3 db) => _db = db;

    public static Connection OpenOrCreate(string path) =>
        Open(path, raw.SQLITE_OPEN_READWRITE | raw.SQLITE_OPEN_CREATE, TimeSpan.Zero);

    /// <param name="path">The file.</param>
    /// <param name="busyTimeout">The longest wait for another connection's lock.</param>
    /// <param name="buffersLog">Whether writes to the log are buffered until they are synced. Needs <c>synchronous=FULL</c>.</param>
    public static Connection OpenForWriting(string path, TimeSpan busyTimeout, bool buffersLog = false) =>
        Open(path, raw.SQLITE_OPEN_READWRITE, busyTimeout, buffersLog ? BufferedLog.Name : null);

    public static Connection OpenForReading(string path, TimeSpan busyTimeout) => Open(path, raw.SQLITE_OPEN_READONLY, busyTimeout);

    public static Connection OpenInMemory() => Open(":memory:", raw.SQLITE_OPEN_READWRITE | raw.SQLITE_OPEN_MEMORY, TimeSpan.Zero);

    private static Connection Open(string path, int flags, TimeSpan busyTimeout, string? vfs = null)
    {
        var code = raw.sqlite3_open_v2(path, out var db, flags | raw.SQLITE_OPEN_NOMUTEX, vfs);
        var connection = new Connection(db);
        try
        {
            connection.Check(code);
            connection.Check(raw.sqlite3_extended_result_codes(db, 1));
            connection.Check(raw.sqlite3_busy_timeout(db, (int)busyTimeout.TotalMilliseconds));

            connection.Distrust();
            connection.Execute("PRAGMA cell_size_check = ON; PRAGMA wal_autocheckpoint = 0; PRAGMA mmap_size = 0");

            // On macOS, fsync leaves data in the drive's cache. Other systems ignore both settings.
            connection.Execute("PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON");
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    /// <summary>Whether a transaction is open.</summary>
    public bool InTransaction => raw.sqlite3_get_autocommit(_db) == 0;

    /// <summary>The number of rows that the last statement changed.</summary>
    public int Changes => raw.sqlite3_changes(_db);

    /// <summary>The number of rows that all statements of the connection have changed.</summary>
    public int TotalChanges => raw.sqlite3_total_changes(_db);

    /// <summary>The rowid of the row that was inserted last.</summary>
    public long InsertedRow => raw.sqlite3_last_insert_rowid(_db);

    public Statement Prepare(string sql)
    {
        Check(raw.sqlite3_prepare_v3(_db, sql, raw.SQLITE_PREPARE_PERSISTENT, out var handle));
        var statement = new Statement(this, handle);
        _statements.Add(statement);
        return statement;
    }

    public void Execute(string sql) => Check(raw.sqlite3_exec(_db, sql));

    /// <summary>The integer result of a statement such as a PRAGMA; 0 without a result.</summary>
    public long Integer(string sql)
    {
        using var query = Query(sql);
        return query.Statement.Step() ? query.Statement.Integer(0) : 0;
    }

    /// <summary>Prepares a statement for a single use.</summary>
    public Query Query(string sql)
    {
        Check(raw.sqlite3_prepare_v2(_db, sql, out var handle));
        return new Query(new Statement(this, handle));
    }

    /// <summary>Starts a writing transaction. Only this call waits for another process's lock; later statements of the transaction do not.</summary>
    public void BeginWriting()
    {
        (_beginWriting ??= Prepare("BEGIN IMMEDIATE")).Run();
        _changesBefore = TotalChanges;
    }

    /// <summary>Lets the next transaction that changes rows call <see cref="ChangeHeader"/>.</summary>
    public void ChangeHeaderLater() => _changesHeader = true;

    /// <summary>
    /// Gives the file's header a random schema cookie (<see cref="LogMark"/>). Connections then read the unchanged schema again. SQLite's change counter
    /// would not do: a connection counts only once while the file has a log.
    /// </summary>
    public void ChangeHeader()
    {
        // SQLite refuses the statement in defensive mode, since a cookie that stays the same after a change of the schema does damage.
        Configure(raw.SQLITE_DBCONFIG_DEFENSIVE, false);
        try
        {
            // A backup's cookie is a small number: it counts the backups to one file.
            Execute(FormattableString.Invariant($"PRAGMA schema_version = {RandomNumberGenerator.GetInt32(1 << 24, int.MaxValue)}"));
        }
        finally
        {
            Configure(raw.SQLITE_DBCONFIG_DEFENSIVE, true);
        }
    }

    /// <summary>Starts a transaction that reads one state of the database.</summary>
    public void BeginReading() => (_beginReading ??= Prepare("BEGIN DEFERRED")).Run();

    public void Commit()
    {
        var changesHeader = _changesHeader && TotalChanges != _changesBefore;
        if (changesHeader)
            ChangeHeader();
        (_commit ??= Prepare("COMMIT")).Run();
        _changesHeader &= !changesHeader;
    }

    /// <summary>Keeps the log when the connection closes, instead of checkpointing and deleting it.</summary>
    public void KeepLogOnClose() => Configure(raw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);

    /// <summary>Rolls back an open transaction.</summary>
    public void Rollback()
    {
        foreach (var statement in _statements)
            statement.Reset();

        // Some errors make SQLite roll back by itself.
        if (InTransaction)
            Execute("ROLLBACK");
    }

    /// <summary>Checkpoints the log into the database file.</summary>
    /// <param name="mode">One of SQLITE_CHECKPOINT_*.</param>
    /// <returns>Whether the checkpoint was complete, which a reader of an older state prevents; and the number of pages in the log.</returns>
    public (bool IsComplete, int Pages) Checkpoint(int mode)
    {
        var code = raw.sqlite3_wal_checkpoint_v2(_db, "main", mode, out var pages, out var copied);
        if ((code & 0xFF) != raw.SQLITE_BUSY)
            Check(code);
        return (code == raw.SQLITE_OK && pages == copied, pages);
    }

    /// <summary>Sets the longest wait for another connection's lock.</summary>
    public void SetBusyTimeout(TimeSpan timeout) => Check(raw.sqlite3_busy_timeout(_db, (int)timeout.TotalMilliseconds));

    /// <summary>Returns the number of pages that the connection has written since the last call.</summary>
    public int TakePagesWritten()
    {
        Check(raw.sqlite3_db_status(_db, CachePagesWritten, out var pages, out _, 1));
        return pages;
    }

    /// <summary>
    /// Prevents a hostile file from running its own SQL. This library's schema has no triggers and no foreign keys, and its only function is SQLite's own
    /// <c>coalesce</c>. The library never reads its view <c>entry</c>.
    /// </summary>
    private void Distrust()
    {
        Configure(raw.SQLITE_DBCONFIG_DEFENSIVE, true);
        Configure(raw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, false);
        Configure(raw.SQLITE_DBCONFIG_ENABLE_TRIGGER, false);
        Configure(raw.SQLITE_DBCONFIG_ENABLE_VIEW, false);
        Configure(raw.SQLITE_DBCONFIG_ENABLE_FKEY, false);
    }

    private void Configure(int setting, bool isOn) => Check(raw.sqlite3_db_config(_db, setting, isOn ? 1 : 0, out _));

    public void Check(int code)
    {
        if (code != raw.SQLITE_OK)
            throw Failure(code);
    }

    public SqliteFailure Failure(int code)
    {
        var extended = raw.sqlite3_extended_errcode(_db);
        return new SqliteFailure((extended & 0xFF) == (code & 0xFF) ? extended : code, raw.sqlite3_errmsg(_db).utf8_to_string());
    }

    public void Dispose()
    {
        foreach (var statement in _statements)
            statement.Close();
        _statements.Clear();
        _ = raw.sqlite3_close(_db);
    }
}

/// <summary>A statement that is closed after a single use.</summary>
internal readonly record struct Query(Statement Statement) : IDisposable
{
    public void Dispose() => Statement.Close();
}
