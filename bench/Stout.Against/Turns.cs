using System.Diagnostics;
using Stout.Documents;
using Stout.Pacing;
using Stout.PostgreSql;
using Stout.Sqlite;
using Stout.Storage;

namespace Stout.Against;

/// <summary>
/// One turn: writers that update small records of their own through the typed layer, each waiting until its update is durable. The law is Window with one request
/// in flight, so that the law does not decide what is compared.
/// </summary>
internal static class Turns
{
    private const int Records = 10_240;
    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(2);

    /// <summary>The stores that a turn can run on.</summary>
    public static string[] Stores { get; } = ["instant", "sqlite", "postgres"];

    public static async Task RunAsync(string storeName, int writers, TimeSpan time)
    {
        var folder = Directory.CreateDirectory($"against-{Guid.NewGuid():N}");
        var schema = $"against_{Guid.NewGuid():N}";
        IStorageProxy proxy = storeName switch
        {
            "instant" => new InMemoryStore(),
            "sqlite" => new SqliteStorage(Path.Combine(folder.FullName, "against.db")),
            _ => new PostgreSqlStorage(new PostgreSqlOptions { ConnectionStrings = [PostgreSql], Schema = schema }),
        };
        try
        {
            var options = new DocumentStoreOptions { Stout = new StoutOptions { Pacing = PacingLaws.Window(new() { MaxInFlight = 1 }) } };
            await using var store = await DocumentStore.OpenAsync(proxy, options);
            var players = store.GetCollection<Player>("player");
            await WriteAsync(players, writers, WarmUp);
            GC.Collect();
            var (processor, bytes, start) = (Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(precise: true), Stopwatch.GetTimestamp());
            double done = await WriteAsync(players, writers, time);
            Console.WriteLine(new Figures(
                done / Stopwatch.GetElapsedTime(start).TotalSeconds,
                (Environment.CpuUsage.TotalTime - processor).TotalMicroseconds / done,
                (GC.GetTotalAllocatedBytes(precise: true) - bytes) / done));
        }
        finally
        {
            folder.Delete(recursive: true);
            if (storeName == "postgres")
                await DropAsync(schema);
        }
    }

    /// <summary>The server, by a connection string.</summary>
    public static string PostgreSql =>
        Environment.GetEnvironmentVariable("STOUT_POSTGRES") ?? throw new InvalidOperationException("STOUT_POSTGRES has to name a server, by a connection string.");

    private static async Task<long> WriteAsync(DocumentCollection<Player> players, int writers, TimeSpan time)
    {
        var start = Stopwatch.GetTimestamp();
        var counts = await Task.WhenAll(Enumerable.Range(0, writers).Select(writer => Task.Run(async () =>
        {
            var random = new Random(writer);
            string[] ids = [.. Enumerable.Range(0, Records / writers).Select(record => $"player-{(record * writers) + writer:D6}")];
            long done = 0;
            for (; Stopwatch.GetElapsedTime(start) < time; done++)
                await players.UpdateAsync(ids[random.Next(ids.Length)], static player => new Player("A name", 12, (player?.Score ?? 0) + 1, 0.5, 0.25));
            return done;
        })));
        return counts.Sum();
    }

    /// <summary>Drops a schema that a turn has made.</summary>
    public static async Task DropAsync(string schema)
    {
        await using var source = Npgsql.NpgsqlDataSource.Create(PostgreSql);
        await using var command = source.CreateCommand($"DROP SCHEMA IF EXISTS {schema} CASCADE");
        await command.ExecuteNonQueryAsync();
    }

    private sealed record Player(string Name, int Level, long Score, double X, double Y);
}
