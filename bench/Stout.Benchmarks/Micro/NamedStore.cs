using Stout.Benchmarks.Stores;
using Stout.Sqlite;
using Stout.Storage;

namespace Stout.Benchmarks.Micro;

/// <summary>
/// A store by its name: <c>memory</c>, <c>sqlite=</c> and the folder for its file, or a variable with a connection string such as <c>STOUT_SQLSERVER</c>.
/// The file of SQLite is deleted when the store is closed.
/// </summary>
internal sealed class NamedStore : IAsyncDisposable
{
    private readonly IStorageProxy _store;
    private readonly IAsyncDisposable? _server;
    private readonly TemporaryFolder? _folder;

    private NamedStore(string kind, string place)
    {
        switch (kind)
        {
            case "memory":
                _store = new InMemoryStore();
                break;
            case "sqlite":
                _folder = new TemporaryFolder(place);
                _store = new SqliteStorage(_folder.File("bench.db"));
                break;
            default:
                var server = ComparedStores.OfVariable(kind);
                (_server, _store) = (server, server.Connect());
                break;
        }
    }

    public IStorePartition Partition { get; private set; } = null!;

    public static async Task<NamedStore> OpenAsync(string name)
    {
        var parts = name.Split('=', 2);
        var store = new NamedStore(parts[0], parts.Length > 1 ? parts[1] : ".");
        store.Partition = (await store._store.OpenAsync())[0];
        return store;
    }

    public async ValueTask DisposeAsync()
    {
        await _store.DisposeAsync();
        if (_server is not null)
            await _server.DisposeAsync();
        _folder?.Dispose();
    }
}
