using System.Runtime.CompilerServices;
using Stout.Documents;
using Stout.Pacing;
using Stout.Storage;

namespace Stout.Benchmarks.Peers;

/// <summary>Stout's typed layer with default options, or with another pacing law.</summary>
internal sealed class StoutPeer : IPeer
{
    private readonly DocumentStore _store;
    private readonly DocumentCollection<Player> _players;

    private StoutPeer(DocumentStore store, string durability)
    {
        (_store, Durability) = (store, durability);
        _players = store.GetCollection<Player>("player");
    }

    public string Durability { get; }

    public static async Task<IPeer> OpenAsync(IStorageProxy proxy, string durability, Func<IPacingLaw>? pacing = null) =>
        new StoutPeer(await DocumentStore.OpenAsync(proxy, new DocumentStoreOptions { Stout = new StoutOptions { Pacing = pacing } }), durability);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask WriteAsync(Player player) => await _players.UpdateAsync(player.Id, player, static (_, player) => player);

    public ValueTask DisposeAsync() => _store.DisposeAsync();
}
