using Stout.Sqlite;
using Stout.Storage;

namespace Stout.Experiments.Live.Stores;

/// <summary>A SQLite file of its own in the folder for temporary files. Every middle tier hands its batches to the file's one writer.</summary>
internal sealed class SqliteFile : IRealStore
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("stout-experiments-");
    private readonly SharedStore _store;

    public SqliteFile() => _store = new SharedStore(new SqliteStorage(Path.Combine(_folder.FullName, "store.db")));

    public Task<string> DescribeAsync(CancellationToken cancellationToken) =>
        Task.FromResult($"SQLite, one file on {new DriveInfo(_folder.FullName).DriveFormat}, every batch a transaction that is synced to the disk (synchronous = FULL); all middle tiers share its one writer");

    public IStorageProxy Connect() => _store.Connect();

    public async ValueTask DisposeAsync()
    {
        await _store.DisposeAsync();
        _folder.Delete(recursive: true);
    }
}
