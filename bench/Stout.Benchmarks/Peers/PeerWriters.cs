using System.Diagnostics;

namespace Stout.Benchmarks.Peers;

/// <summary>The load: writers that each change records of their own, chosen uniformly, and wait until each change is durable.</summary>
/// <param name="RecordsPerWriter">The number of each writer's records; null for 10,000 records of all writers together.</param>
/// <param name="Size">The least bytes of a record's JSON.</param>
internal sealed record PeerWriters(int? RecordsPerWriter = null, int Size = 0)
{
    private const int Keys = 10_000;
    private const int Loaders = 64;

    private readonly string _padding = new('x', Math.Max(0, Size - new Player("player-000000", "Name of 0 ", 1, 0, 0.5, 0.25).ToBytes().Length));

    /// <summary>Writes every record once.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="writers">The most writers that will run.</param>
    public Task LoadAsync(IPeer peer, int writers) => Task.WhenAll(Enumerable.Range(0, Loaders).Select(loader => StartAsync(peer, async () =>
    {
        for (var key = loader; key < KeysOf(writers); key += Loaders)
            await peer.WriteAsync(Create(key));
        return 0;
    })));

    /// <summary>Runs a number of writers for the given time.</summary>
    /// <returns>The number of durable changes.</returns>
    public async Task<long> RunAsync(IPeer peer, int writers, TimeSpan time)
    {
        var start = Stopwatch.GetTimestamp();
        var counts = await Task.WhenAll(Enumerable.Range(0, writers).Select(writer => StartAsync(peer, async () =>
        {
            var random = new Random(writer);
            Player[] players = [.. Enumerable.Range(0, KeysOf(writers) / writers).Select(key => Create(writer + (key * writers)))];
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

    private int KeysOf(int writers) => RecordsPerWriter * writers ?? Keys;

    private Player Create(int key) => new($"player-{key:D6}", $"Name of {key} {_padding}", Level: 1 + (key % 60), Score: 0, X: 0.5, Y: 0.25);

    private static Task<long> StartAsync(IPeer peer, Func<Task<long>> write) => peer.Blocks
        ? Task.Factory.StartNew(write, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap()
        : Task.Run(write);
}
