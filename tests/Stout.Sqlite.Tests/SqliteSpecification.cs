using Stout.Sqlite.Native;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Sqlite.Tests;

/// <summary>A store of one file keeps the promises of the specification.</summary>
public class SqliteSpecification : StorageProxySpecification, IDisposable
{
    private readonly TemporaryDirectory _directory = new();
    private volatile bool _failSweeps;

    private protected virtual SqliteOptions Options => new() { Path = _directory["docs.db"], CheckpointPages = 200 };

    private protected TemporaryDirectory Files => _directory;

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    protected override IStorageProxy Connect(TimeProvider time) => new SqliteStorage(Options, time);

    // The writer also sweeps between batches, independently of the sweep interval.
    protected override bool SweepsAtOnce => true;

    protected override IStorageProxy? ConnectSweeping(TimeProvider time, StoreSweepOptions sweeping) =>
        new SqliteStorage(Options with { Sweeping = sweeping, OnStep = AtStep }, time);

    private void AtStep(string step)
    {
        if (step == "before the sweep" && _failSweeps)
            throw new SqliteFailure(SQLitePCL.raw.SQLITE_FULL, "no room for the sweep");
    }

    protected override Task<int?> CountRowsAsync() => Task.FromResult<int?>((int)Databases.Sum(static file =>
    {
        using var connection = Connection.OpenForReading(file, TimeSpan.FromSeconds(5));
        return connection.Integer("SELECT (SELECT count(*) FROM header) + (SELECT count(*) FROM part)");
    }));

    protected override Task<bool> FailSweepsAsync(bool fails)
    {
        _failSweeps = fails;
        return Task.FromResult(true);
    }

    protected override Task<bool> BreakSetUpAsync()
    {
        foreach (var file in Databases)
        {
            using var connection = Connection.OpenForWriting(file, TimeSpan.FromSeconds(5));
            connection.Execute("UPDATE identity SET ready = 0");
        }

        if (Databases is [.., _, var last])
            File.Delete(last);
        return Task.FromResult(true);
    }

    protected override Task<bool> NameOtherKeyAsync(StoreClient store, string key, string other)
    {
        foreach (var file in Databases)
            RawFile.Change(file, $"UPDATE header SET long_key = x'{Hex(other)}' WHERE key = x'{Hex(LongKeys.RowKeyOf(new PartitionKey(key)))}'");
        return Task.FromResult(true);

        static string Hex(string text) => Convert.ToHexString(System.Text.Encoding.UTF8.GetBytes(text));
    }

    private string[] Databases => [.. Directory.GetFiles(_directory.Path, "*.db").Order(StringComparer.Ordinal)];

    protected override async Task CheckAfterRandomRunAsync(StoreClient store)
    {
        ArgumentNullException.ThrowIfNull(store);
        Time.Advance(TimeSpan.FromDays(2));
        await store.DisposeAsync();
        foreach (var file in Directory.GetFiles(_directory.Path, "*.db"))
        {
            Assert.False(File.Exists(file + "-wal"), "The log is still there.");
            using var connection = Connection.OpenForReading(file, TimeSpan.Zero);
            var check = connection.Prepare("PRAGMA integrity_check");
            Assert.True(check.Step());
            Assert.Equal("ok", check.Text(0));
        }
    }
}

/// <summary>A store of three files keeps the promises of the specification.</summary>
public sealed class SqliteSetSpecification : SqliteSpecification
{
    private protected override SqliteOptions Options => base.Options with { Partitions = 3, ReadersPerPartition = 1 };
}
