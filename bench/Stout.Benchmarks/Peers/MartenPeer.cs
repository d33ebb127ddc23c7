using JasperFx;
using Marten;
using Npgsql;

namespace Stout.Benchmarks.Peers;

/// <summary>Marten on PostgreSQL: one lightweight session for each write.</summary>
internal sealed class MartenPeer(string connection) : IPeer
{
    private readonly Marten.DocumentStore _store = Marten.DocumentStore.For(options =>
    {
        options.Connection(connection);
        options.DatabaseSchemaName = "marten";
        options.AutoCreateSchemaObjects = AutoCreate.All;
        options.UseSystemTextJsonForSerialization();
    });

    public string Durability => PeerComparison.PostgreSqlSync;

    public async ValueTask WriteAsync(Player player)
    {
        await using var session = _store.LightweightSession();
        session.Store(player);
        await session.SaveChangesAsync();
    }

    public ValueTask DisposeAsync()
    {
        _store.Dispose();
        return default;
    }
}
