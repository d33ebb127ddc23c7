using Stout.Benchmarks.Grains;
using Stout.Benchmarks.Throughput;
using Stout.Pacing;
using Stout.PostgreSql;
using Stout.Sqlite;
using Stout.Storage;

namespace Stout.Benchmarks.Peers;

/// <summary>Compares the default law of shared stores with simple ones, for writers that wait for each answer. The default also runs beside itself.</summary>
internal static class LawComparison
{
    /// <summary>Runs the comparison on SQLite and on PostgreSQL.</summary>
    /// <param name="comparison">The number of rounds, and the length of a turn.</param>
    /// <param name="writers">The numbers of writers.</param>
    /// <param name="busy">Loops that keep processors busy meanwhile.</param>
    public static async Task RunAsync(Comparison comparison, int[] writers, int busy)
    {
        using var folder = new TemporaryFolder();
        await using var servers = new TestServers(folder);
        using var loops = new BusyLoops(busy);
        var load = new PeerWriters();
        var number = 0;
        await RunAsync("SQLite", () => new SqliteStorage(folder.File($"{number++}.db")));
        var postgres = await servers.PostgreSqlAsync();
        await RunAsync("PostgreSQL", () => new PostgreSqlStorage(new PostgreSqlOptions { ConnectionStrings = [postgres], Schema = $"stout{number++}" }));

        async Task RunAsync(string where, Func<IStorageProxy> open)
        {
            Dictionary<string, Func<IPacingLaw>> laws = new()
            {
                ["Delay"] = PacingLaws.Delay(),
                ["Window 1"] = PacingLaws.Window(new() { MaxInFlight = 1 }),
                ["no batching"] = PacingLaws.NoBatching(),
                ["Delay once more"] = PacingLaws.Delay(),
            };
            Dictionary<string, IPeer> peers = [];
            try
            {
                foreach (var (name, law) in laws)
                {
                    var peer = await StoutPeer.OpenAsync(open(), "", law);
                    peers.Add(name, peer);
                    await load.LoadAsync(peer, writers.Max());
                }

                foreach (var count in writers)
                {
                    var variants = comparison.Anew();
                    foreach (var (name, peer) in peers)
                        variants.Add(name, time => load.RunAsync(peer, count, time));
                    await variants.RunAsync($"durable updates on {where}, {count} writers", firstOverEach: true);
                }
            }
            finally
            {
                foreach (var peer in peers.Values)
                    await peer.DisposeAsync();
            }
        }
    }
}
