using System.Net;
using System.Net.Sockets;
using Npgsql;
using Stout.Orleans.Chaos.Faults;
using Stout.Orleans.Chaos.Load;
using Stout.Orleans.Chaos.Silos;
using Stout.PostgreSql;
using Stout.Storage;
using Stout.Tests.Shared;

namespace Stout.Orleans.Chaos.Processes;

/// <summary>
/// Silos in processes of their own, with membership and states in PostgreSQL. Each silo reaches its store through a TCP proxy, which can cut or delay the
/// connection.
/// </summary>
internal sealed class ProcessCluster : ChaosCluster
{
    private readonly ServerScript _server;
    private readonly string _connection;
    private readonly string _schema = $"chaos_{Guid.NewGuid():N}";
    private readonly string _id = $"{Guid.NewGuid():N}";
    private readonly ProcessSilo[] _silos;
    private readonly ProcessSilo _other;
    private readonly ZombieCounts _zombies = new();

    /// <param name="server">The database server, which the run may kill.</param>
    /// <param name="connection">The server's connection string.</param>
    /// <param name="silos">How many silos the cluster has; at least 3, so that two can vote against the third.</param>
    public ProcessCluster(ServerScript server, string connection, int silos = 3)
    {
        (_server, _connection) = (server, connection);
        // One silo leaves without a hand-over, as one of an earlier build does.
        _silos = [.. Enumerable.Range(0, silos).Select(i => Make($"silo {i}", "first", TimeSpan.FromHours((i % 3) - 1), handsOver: i > 0))];
        _other = Make("other", "second", TimeSpan.Zero, handsOver: false);
    }

    /// <inheritdoc/>
    public override IReadOnlyList<ChaosSilo> Silos => _silos;

    /// <inheritdoc/>
    public override ChaosSilo Other => _other;

    /// <inheritdoc/>
    public override string Figures => FormattableString.Invariant(
        $"{_zombies}; processes that ended by themselves: {_silos.Sum(silo => silo.Ends) + _other.Ends}\n");

    /// <inheritdoc/>
    public override async Task StartAsync()
    {
        await CreateMembershipAsync();
        // The first silo starts alone, since it creates the store's schema.
        await _silos[0].StartAsync();
        await Task.WhenAll(All.Skip(1).Select(silo => silo.StartAsync()));
    }

    /// <inheritdoc/>
    public override IStorageProxy Connect() => new PostgreSqlStorage(new PostgreSqlOptions { ConnectionStrings = [_connection], Schema = _schema });

    /// <inheritdoc/>
    public override IEnumerable<Fault> FaultsOfItsOwn(FaultScene scene) =>
    [
        new("suspended beyond death", 5, () => Zombie.RunAsync(scene, _silos[scene.Random.Next(_silos.Length)], _zombies)),
        new("database killed", 2, RestartStoreAsync),
    ];

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync() =>
        await Task.WhenAll(((ProcessSilo[])[.. _silos, _other]).Select(silo => silo.DisposeAsync().AsTask()));

    private async Task RestartStoreAsync()
    {
        await _server.KillAsync();
        await _server.StartAsync();
    }

    private async Task CreateMembershipAsync()
    {
        using var script = new StreamReader(typeof(ProcessCluster).Assembly.GetManifestResourceStream("membership.sql")!);
        await using var source = NpgsqlDataSource.Create(_connection);
        await using var command = source.CreateCommand(await script.ReadToEndAsync());
        await command.ExecuteNonQueryAsync();
    }

    private ProcessSilo Make(string name, string cluster, TimeSpan clockOffset, bool handsOver)
    {
        var store = new NpgsqlConnectionStringBuilder(_connection);
        var network = new TcpProxy(IPEndPoint.Parse($"{store.Host}:{store.Port}"));
        (store.Host, store.Port) = ("127.0.0.1", network.Port);
        var settings = new SiloSettings(name, $"{cluster}-{_id}", FreePort(), _connection, store.ConnectionString, _schema, clockOffset, handsOver);
        return new ProcessSilo(settings, network);
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
