using System.Diagnostics;
using Stout.Documents;
using Stout.Storage;

namespace Stout.Benchmarks.Throughput;

/// <summary>
/// Compares changes through the typed layer, on the store in memory, with writes through the base layer. Each of 64 writers changes small records of its own,
/// and waits until each change is durable.
/// </summary>
internal static class TypedUpdates
{
    private const int Writers = 64;
    private const int KeysEach = 100;

    public static async Task RunAsync(Comparison comparison)
    {
        await using var workload = await Workload.OpenAsync(new InMemoryStore(), Writers * KeysEach, 32, Workload.NoBatching(8));
        var options = new DocumentStoreOptions { Stout = new StoutOptions { Pacing = Workload.NoBatching(8) } };
        await using var store = await DocumentStore.OpenAsync(new InMemoryStore(), options);
        var kept = store.GetCollection("kept", new JsonPartSerializer<Counter>(valuesAreImmutable: true));
        var bytes = store.GetCollection("bytes", new JsonPartSerializer<Counter>());
        comparison.Add("base layer, a mark and its message", time => workload.WriteAsync(Writers, time));
        comparison.Add("UpdateAsync, values kept", time => UpdateAsync(kept, time));
        comparison.Add("UpdateAsync, bytes kept", time => UpdateAsync(bytes, time));
        comparison.Add("ChangeAsync of 8 parts, values kept", time => ChangeAsync(kept, time));
        await comparison.RunAsync("durable changes, 64 writers");
    }

    private static Task<long> UpdateAsync(DocumentCollection<Counter> counters, TimeSpan time) => WriteAsync(
        time, id => counters.UpdateAsync(id, static counter => new Counter((counter?.Count ?? 0) + 1)));

    private static Task<long> ChangeAsync(DocumentCollection<Counter> counters, TimeSpan time) => WriteAsync(
        time,
        id => counters.ChangeAsync<Counter?>(
            id + "p",
            static editor =>
            {
                var next = new Counter((editor["0"]?.Count ?? 0) + 1);
                foreach (var part in Parts)
                    editor.Set(part, next);
                return next;
            }));

    private static string[] Parts { get; } = [.. Enumerable.Range(0, 8).Select(part => $"{part}")];

    private static async Task<long> WriteAsync(TimeSpan time, Func<string, ValueTask<Counter?>> write)
    {
        var start = Stopwatch.GetTimestamp();
        var counts = await Task.WhenAll(Enumerable.Range(0, Writers).Select(writer => Task.Run(async () =>
        {
            string[] ids = [.. Enumerable.Range(0, KeysEach).Select(key => $"{writer:D2}-{key:D3}")];
            long done = 0;
            for (; Stopwatch.GetElapsedTime(start) < time; done++)
                await write(ids[done % KeysEach]);
            return done;
        })));
        return counts.Sum();
    }

    private sealed record Counter(int Count);
}
