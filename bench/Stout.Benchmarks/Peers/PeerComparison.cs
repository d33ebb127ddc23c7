using Stout.Benchmarks.Throughput;
using Stout.PostgreSql;
using Stout.Sqlite;

namespace Stout.Benchmarks.Peers;

/// <summary>
/// Compares Stout's typed layer with alternatives that a service could use. All write the same records under the same keys, and each write is durable before
/// its reply.
/// </summary>
internal static class PeerComparison
{
    internal const string SqliteSync = "journal_mode=WAL, synchronous=FULL: each commit syncs the log";
    internal const string PostgreSqlSync = "fsync and synchronous_commit on";

    /// <summary>Runs the comparison on local files and Redis, and then that on PostgreSQL.</summary>
    /// <param name="comparison">The number of rounds, and the length of a turn.</param>
    /// <param name="load">The records.</param>
    /// <param name="writers">The numbers of writers.</param>
    /// <param name="only">The peers to run, by their names; empty for all. Stout always runs.</param>
    public static async Task RunAsync(Comparison comparison, PeerWriters load, int[] writers, string[] only)
    {
        Console.WriteLine("Processor time and allocations are those of this process: what Redis and PostgreSQL take comes on top.");
        using var folder = new TemporaryFolder();
        await using var servers = new TestServers(folder);
        await CompareAsync(comparison, load, writers, only, "files and Redis", new()
        {
            ["Stout on SQLite"] = () => StoutPeer.OpenAsync(new SqliteStorage(folder.File("stout.db")), SqliteSync),
            ["hand-written on SQLite"] = () => Task.FromResult<IPeer>(new HandWrittenPeer(folder.File("hand.db"))),
            ["hand-written with Stout's settings"] = () => Task.FromResult<IPeer>(new HandWrittenPeer(folder.File("settings.db"), HandWrittenPeer.StoutSettings)),
            ["RocksDB"] = () => Task.FromResult<IPeer>(new RocksDbPeer(folder.File("rocks"))),
            ["RocksDB in batches"] = () => Task.FromResult<IPeer>(new RocksDbBatchPeer(folder.File("rocks batches"))),
            ["FasterLog"] = () => Task.FromResult<IPeer>(new FasterLogPeer(folder.File("faster"))),
            ["Redis"] = async () => await RedisPeer.OpenAsync(await servers.RedisAsync()),
        });
        await CompareAsync(comparison, load, writers, only, "PostgreSQL", new()
        {
            ["Stout on PostgreSQL"] = async () => await StoutPeer.OpenAsync(
                new PostgreSqlStorage(new PostgreSqlOptions { ConnectionStrings = [await servers.PostgreSqlAsync()], Schema = "stout" }), PostgreSqlSync),
            ["Npgsql"] = async () => await NpgsqlPeer.OpenAsync(await servers.PostgreSqlAsync()),
            ["Npgsql, multiplexed"] = async () => await NpgsqlPeer.OpenAsync(await servers.PostgreSqlAsync(), isMultiplexed: true),
            ["hand-written on PostgreSQL"] = async () => await NpgsqlBatchPeer.OpenAsync(await servers.PostgreSqlAsync(), hasVersions: false),
            ["hand-written with versions"] = async () => await NpgsqlBatchPeer.OpenAsync(await servers.PostgreSqlAsync(), hasVersions: true),
            ["Marten"] = async () => new MartenPeer(await servers.PostgreSqlAsync()),
        });
    }

    private static async Task CompareAsync(Comparison comparison, PeerWriters load, int[] writers, string[] only, string where, Dictionary<string, Func<Task<IPeer>>> peers)
    {
        if (only.Length > 0 && !peers.Keys.Any(only.Contains))
            return;
        var wanted = peers.Where((peer, index) => index == 0 || only.Length == 0 || only.Contains(peer.Key)).ToList();
        Dictionary<string, IPeer> open = [];
        try
        {
            foreach (var (name, create) in wanted)
            {
                if (await TryOpenAsync(name, create, peer => load.LoadAsync(peer, writers.Max())) is { } peer)
                    open.Add(name, peer);
            }

            foreach (var count in writers)
            {
                var variants = comparison.Anew();
                foreach (var (name, peer) in open)
                    variants.Add(name, time => load.RunAsync(peer, count, time));
                await variants.RunAsync($"durable updates on {where}, {count} writers", firstOverEach: true);
            }
        }
        finally
        {
            foreach (var peer in open.Values)
                await peer.DisposeAsync();
        }
    }

    // Skips a peer that can't be opened, such as a package without this machine's native library or a missing server. The other peers still run.
    private static async Task<IPeer?> TryOpenAsync(string name, Func<Task<IPeer>> create, Func<IPeer, Task> load)
    {
        try
        {
            var peer = await create();
            await load(peer);
            Console.WriteLine($"{name}: {peer.Durability}");
            return peer;
        }
        catch (Exception error)
        {
            Console.WriteLine($"{name} is skipped: {error.GetType().Name}: {error.Message}");
            return null;
        }
    }
}
