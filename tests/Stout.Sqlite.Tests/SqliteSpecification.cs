using Stout.Sqlite.Native;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Sqlite.Tests;

/// <summary>One file keeps the promises.</summary>
public class SqliteSpecification : StorageProxySpecification, IDisposable
{
    private readonly TemporaryDirectory _directory = new();

    private protected virtual SqliteOptions Options => new() { Path = _directory["docs.db"], CheckpointPages = 200 };

    private protected TemporaryDirectory Files => _directory;

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    protected override IStorageProxy Connect(TimeProvider time) => new SqliteStorage(Options, time);

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

/// <summary>Three files keep them too.</summary>
public sealed class SqliteSetSpecification : SqliteSpecification
{
    private protected override SqliteOptions Options => base.Options with { Partitions = 3, ReadersPerPartition = 1 };
}
