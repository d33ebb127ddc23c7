using SQLitePCL;

namespace Stout.Sqlite.Tests;

/// <summary>A database file as another program uses it, without the library's checks.</summary>
internal sealed class RawFile : IDisposable
{
    private readonly sqlite3 _db;

    static RawFile() => Batteries_V2.Init();

    public RawFile(string path)
    {
        Assert.Equal(raw.SQLITE_OK, raw.sqlite3_open(path, out _db));
        raw.sqlite3_busy_timeout(_db, 5_000);
    }

    /// <summary>Changes a file.</summary>
    public static void Change(string path, string sql)
    {
        using var file = new RawFile(path);
        file.Execute(sql);
    }

    /// <summary>Changes the catalogue directly, as only a hostile or broken program does.</summary>
    public static void ChangeCatalogue(string path, string sql) => Change(path, $"PRAGMA writable_schema = ON; {sql}");

    /// <summary>Changes rows without the NOT NULL constraints of the tables, and then restores the constraints.</summary>
    public static void ChangeWithoutConstraints(string path, string sql)
    {
        ChangeCatalogue(path, "UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', ' /*NN*/') WHERE type = 'table'");
        Change(path, sql);
        ChangeCatalogue(path, "UPDATE sqlite_schema SET sql = replace(sql, ' /*NN*/', ' NOT NULL')");
    }

    public void Execute(string sql)
    {
        var code = raw.sqlite3_exec(_db, sql);
        Assert.True(code == raw.SQLITE_OK, $"{code}: {raw.sqlite3_errmsg(_db).utf8_to_string()}: {sql}");
    }

    /// <summary>Copies the database as the shell's command <c>.backup</c> does.</summary>
    public void BackUp(string target)
    {
        using var copy = new RawFile(target);
        using var backup = raw.sqlite3_backup_init(copy._db, "main", _db, "main");
        Assert.Equal(raw.SQLITE_DONE, raw.sqlite3_backup_step(backup, -1));
        Assert.Equal(raw.SQLITE_OK, raw.sqlite3_backup_finish(backup));
    }

    /// <summary>The rows of a query. Values are null, long, double, string and byte[], as they are stored.</summary>
    public List<object?[]> Rows(string sql)
    {
        Assert.Equal(raw.SQLITE_OK, raw.sqlite3_prepare_v2(_db, sql, out var statement));
        using (statement)
        {
            var rows = new List<object?[]>();
            while (raw.sqlite3_step(statement) == raw.SQLITE_ROW)
                rows.Add([.. Enumerable.Range(0, raw.sqlite3_column_count(statement)).Select(i => Value(statement, i))]);
            return rows;
        }
    }

    public void Dispose() => raw.sqlite3_close(_db);

    private static object? Value(sqlite3_stmt statement, int column) => raw.sqlite3_column_type(statement, column) switch
    {
        raw.SQLITE_INTEGER => raw.sqlite3_column_int64(statement, column),
        raw.SQLITE_FLOAT => raw.sqlite3_column_double(statement, column),
        raw.SQLITE_TEXT => raw.sqlite3_column_text(statement, column).utf8_to_string(),
        raw.SQLITE_BLOB => raw.sqlite3_column_blob(statement, column).ToArray(),
        _ => null,
    };
}
