using Stout.Sqlite;
using Stout.Storage;

namespace Stout.Benchmarks.Micro;

/// <summary>A store by its name: <c>memory</c>, or <c>sqlite=</c> and the folder for its file, which goes when the store is closed.</summary>
internal sealed class NamedStore : IAsyncDisposable
{
    private readonly IStorageProxy _store;
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
                throw new ArgumentException($"There is no kind of store with the name {kind}.", nameof(kind));
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
        _folder?.Dispose();
    }
}
