using System.Diagnostics;
using System.Net;
using Npgsql;
using ReplicaUnderTest;
using Stout.Tests.Shared;

namespace Replicas.Tests.Torture;

/// <summary>Replicas on one database, behind a network that cuts connections.</summary>
internal sealed class Cluster : IAsyncDisposable
{
    private readonly TortureOptions _options;
    private readonly ServerScript _server;
    private readonly TcpProxy _network;
    private readonly Random _cutRandom;

    private Cluster(TortureOptions options, ServerScript server, NpgsqlConnectionStringBuilder store, Func<int, Dictionary<string, string>> settings)
    {
        (_options, _server, _cutRandom) = (options, server, new Random(options.Seed));
        Database = store.ConnectionString;
        _network = new TcpProxy(IPEndPoint.Parse($"{store.Host}:{store.Port}"));
        (store.Host, store.Port) = ("127.0.0.1", _network.Port);
        Replicas =
        [
            .. Enumerable.Range(0, options.Replicas).Select(replica => new ReplicaProcess(new Dictionary<string, string>(settings(replica))
            {
                ["REPLICA_STORE"] = store.ConnectionString,
                ["REPLICA_SCHEMA"] = Schema,
                ["REPLICA_BUG"] = options.Bug.ToString(),
            })),
        ];
    }

    public ReplicaProcess[] Replicas { get; }

    /// <summary>The connection string of the database itself, without the network.</summary>
    public string Database { get; }

    public string Schema { get; } = $"torture_{Guid.NewGuid():N}";

    /// <summary>The number of connections that were cut.</summary>
    public int Cuts { get; private set; }

    /// <summary>Starts a cluster.</summary>
    /// <param name="options">The options of the run, such as the number of replicas.</param>
    /// <param name="server">The database server, which <see cref="TortureAsync"/> may kill.</param>
    /// <param name="settings">More settings of each replica.</param>
    public static async Task<Cluster> StartAsync(TortureOptions options, ServerScript server, Func<int, Dictionary<string, string>>? settings = null)
    {
        var cluster = new Cluster(options, server, new NpgsqlConnectionStringBuilder(await server.StartAsync()), settings ?? (static _ => []));
        try
        {
            // The replicas start one after the other, since the first one creates the schema.
            foreach (var replica in cluster.Replicas)
                await replica.StartAsync();
            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    /// <summary>Runs clients while replicas and the server are killed and connections are cut.</summary>
    /// <returns>The faults.</returns>
    public async Task<Faults> TortureAsync(TortureClients clients)
    {
        _network.OnAnswer = _ => Cut(_options.CutOneIn);
        _network.OnRequest = _ => Cut(2 * _options.CutOneIn);
        var began = Stopwatch.GetTimestamp();
        using var stop = new CancellationTokenSource();
        var asking = clients.RunAsync(_options.Clients, stop.Token);
        var faults = new Faults(Replicas, _server, clients, new Random(_options.Seed));
        await EndOfEither(faults.RunAsync(_options.Faults, Math.Max(2, _options.Operations / (_options.Faults + 1))), asking);
        if (_options.Operations > clients.Answered)
            await EndOfEither(clients.AnsweredAsync(_options.Operations - clients.Answered), asking);
        while (Stopwatch.GetElapsedTime(began) < _options.Lasts)
            await EndOfEither(clients.AnsweredAsync(1), asking);
        await stop.CancelAsync();
        await asking;
        _network.OnAnswer = _network.OnRequest = _ => TcpProxy.Verdict.Pass;
        return faults;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var replica in Replicas)
            await replica.DisposeAsync();
        await _network.DisposeAsync();
    }

    /// <summary>Waits for a task. If the clients end earlier they have failed, and their error is thrown.</summary>
    private static async Task EndOfEither(Task task, Task clients) => await await Task.WhenAny(task, clients);

    private TcpProxy.Verdict Cut(int oneIn)
    {
        lock (_cutRandom)
        {
            if (_cutRandom.Next(oneIn) != 0)
                return TcpProxy.Verdict.Pass;
            Cuts++;
            return TcpProxy.Verdict.Cut;
        }
    }
}
