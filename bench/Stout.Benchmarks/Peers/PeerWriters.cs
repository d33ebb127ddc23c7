using System.Diagnostics;

namespace Stout.Benchmarks.Peers;

/// <summary>The load: writers that each change records of their own, chosen uniformly, and wait until each change is durable.</summary>
internal static class PeerWriters
{
    /// <summary>The number of records of all writers together.</summary>
    public const int Keys = 10_000;

    private const int Loaders = 64;

    /// <summary>Writes every record once.</summary>
    public static Task LoadAsync(IPeer peer) => Task.WhenAll(Enumerable.Range(0, Loaders).Select(loader => StartAsync(peer, async () =>
    {
        for (var key = loader; key < Keys; key += Loaders)
            await peer.WriteAsync(Create(key));
        return 0;
    })));

    /// <summary>Runs a number of writers for the given time.</summary>
    /// <returns>The number of durable changes.</returns>
    public static async Task<long> RunAsync(IPeer peer, int writers, TimeSpan time)
    {
        var start = Stopwatch.GetTimestamp();
        var counts = await Task.WhenAll(Enumerable.Range(0, writers).Select(writer => StartAsync(peer, async () =>
        {
            var random = new Random(writer);
            Player[] players = [.. Enumerable.Range(0, Keys / writers).Select(key => Create(writer + (key * writers)))];
            long done = 0;
            for (; Stopwatch.GetElapsedTime(start) < time; done++)
            {
                var key = random.Next(players.Length);
                players[key] = players[key] with { Score = start + done, X = random.NextDouble() };
                await peer.WriteAsync(players[key]);
            }

            return done;
        })));
        return counts.Sum();
    }

    private static Player Create(int key) => new($"player-{key:D6}", $"Name of {key}", Level: 1 + (key % 60), Score: 0, X: 0.5, Y: 0.25);

    private static Task<long> StartAsync(IPeer peer, Func<Task<long>> write) => peer.Blocks
        ? Task.Factory.StartNew(write, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap()
        : Task.Run(write);
}
