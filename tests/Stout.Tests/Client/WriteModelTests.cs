using System.Globalization;
using Microsoft.Extensions.Time.Testing;
using Stout.Pacing;
using Stout.Storage;
using Stout.Tests.Support;

namespace Stout.Tests.Client;

/// <summary>
/// Random changes of a few keys, on a store that refuses, answers late or not at all, against a naive model: the store holds the state after some number of
/// a key's changes, at least after those that are acknowledged.
/// </summary>
public sealed class WriteModelTests(ITestOutputHelper output)
{
    private const int Seeds = 150;

    // The clock runs ahead of the lane's threads, so no limit of the options must pass.
    private static readonly TimeSpan Long = TimeSpan.FromHours(1);
    private static readonly string[] Parts = ["", "p", "q", "r"];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = 120_000)]
    public async Task The_store_holds_a_prefix_of_the_changes_with_all_acknowledged_ones()
    {
        var writes = 0;
        for (var seed = 0; seed < Seeds; seed++)
            writes += await RunAsync(seed);
        output.WriteLine($"{writes} writes after a key's first one.");
        Assert.True(writes > Seeds);
    }

    /// <summary>Runs one seed.</summary>
    /// <returns>The number of writes of a key after its first one.</returns>
    private static async Task<int> RunAsync(int seed)
    {
        var random = new Random(seed);
        var time = new FakeTimeProvider();
        var limits = new StorageLimits { MaxValueBytes = 40, MaxChangeSetBytes = 60, MaxChangeSetParts = 4, MaxBatchKeys = 3, MaxBatchBytes = 150 };
        var store = new UnsteadyStore(limits, random);
        await using var client = await StoutClient.OpenAsync(
            store, new StoutOptions { Pacing = random.Next(2) == 0 ? PacingLaws.NoBatching() : PacingLaws.FixedInterval(), RequestTimeout = Long, UnreachableTimeout = Long, ResolveUnknownFor = Long }, time, Token);
        var keys = new List<ModelKey>();
        foreach (var name in new[] { "a", "b" })
            keys.Add(new ModelKey((await OverAsync(client.OpenAsync(new PartitionKey(name), Token).AsTask(), time)).Handle));

        for (var step = 0; step < 30; step++)
        {
            var key = keys[random.Next(keys.Count)];
            key.Write(NewChange(random));
            if (random.Next(4) == 0)
                time.Advance(TimeSpan.FromMilliseconds(random.Next(20)));
            if (random.Next(5) == 0)
                await Task.Yield();
            foreach (var each in keys)
                each.Check(store, seed);
        }

        foreach (var key in keys)
        {
            await OverAsync(Task.WhenAll(key.Writes), time);
            key.Check(store, seed);
            Assert.Equal(key.States[^1], ModelKey.Show(store.Find(key.Handle.Key)));
        }

        var statistics = client.GetStatistics();
        Assert.Equal((0, 0, 0), (statistics.UndurableBytes, statistics.WaitingMessages, statistics.DirtyKeys));
        return (int)statistics.KeysWritten - keys.Count;
    }

    private static Dictionary<string, int?> NewChange(Random random)
    {
        var change = new Dictionary<string, int?>();
        if (random.Next(6) == 0)
            change["replace"] = null;
        for (var parts = random.Next(change.Count == 0 ? 1 : 0, 3); parts > 0; parts--)
            change[Parts[random.Next(Parts.Length)]] = random.Next(5) == 0 ? null : random.Next(1, 30);
        return change;
    }

    private static async Task<T> OverAsync<T>(Task<T> task, FakeTimeProvider time)
    {
        while (!task.IsCompleted)
        {
            time.Advance(TimeSpan.FromMilliseconds(5));
            await Task.Run(static () => { }, Token);
        }

        return await task;
    }

    /// <summary>A key with the states after each of its changes.</summary>
    private sealed class ModelKey(KeyHandle handle)
    {
        private readonly SortedDictionary<string, string> _state = new(StringComparer.Ordinal);
        private int _exists;

        public KeyHandle Handle => handle;

        public List<string> States { get; } = ["absent"];

        public List<Task<Stamp>> Writes { get; } = [];

        public void Write(Dictionary<string, int?> parts)
        {
            var change = new KeyChange { ReplacesObject = parts.Remove("replace") };
            if (change.ReplacesObject)
                _state.Clear();
            _exists = change.ReplacesObject && parts.Count == 0 ? 0 : 1;
            foreach (var (part, size) in parts)
            {
                // The number of the change is in its bytes, so that each state is another one.
                var bytes = size is null ? null : States.Count.ToString(CultureInfo.InvariantCulture).PadRight(size.Value, '.');
                _ = bytes is null ? change.Remove(new SubKey(part)) : change.Set(new SubKey(part), System.Text.Encoding.UTF8.GetBytes(bytes));
                if (bytes is null)
                    _state.Remove(part);
                else
                    _state[part] = bytes;
            }

            States.Add(_exists == 0 ? "absent" : string.Join('|', _state.Select(static part => $"{part.Key}={part.Value}")));
            Writes.Add(handle.WriteAsync(change, Token).AsTask());
        }

        public void Check(UnsteadyStore store, int seed)
        {
            Assert.DoesNotContain(Writes, static write => write.IsFaulted);
            var acknowledged = Writes.FindLastIndex(static write => write.IsCompletedSuccessfully) + 1;
            var stored = Show(store.Find(handle.Key));
            Assert.True(States.Skip(acknowledged).Contains(stored), $"Seed {seed}: {stored} after {acknowledged} of {Writes.Count} changes.");
        }

        public static string Show(ReadOutcome stored) => !stored.Exists ? "absent" : string.Join(
            '|', stored.Parts.OrderBy(static part => part.SubKey.Text, StringComparer.Ordinal).Select(static part => $"{part.SubKey.Text}={System.Text.Encoding.UTF8.GetString(part.Value.Span)}"));
    }
}
