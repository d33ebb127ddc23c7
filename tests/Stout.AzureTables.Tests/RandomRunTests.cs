using System.Globalization;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.AzureTables.Tests;

/// <summary>
/// 100,000 writes in batches of 100, so that the slow emulator finishes in a minute. Each outcome agrees with the stamps, and the store's final state
/// with a dictionary.
/// </summary>
public sealed class RandomRunTests(Server server) : IDisposable
{
    private const int Operations = 100_000;
    private const int KeysOfBatch = 100;
    private static readonly string[] SubKeys = ["a", "b/c", "\0"];

    private readonly TestTable _table = new(server.Account);
    private readonly Dictionary<string, (Stamp Stamp, SortedDictionary<string, byte[]>? Parts)> _model = new(StringComparer.Ordinal);
    private readonly List<Stamp> _stale = [Stamp.Absent];

    public void Dispose() => _table.Dispose();

    [Fact]
    public async Task A_hundred_thousand_random_writes_end_as_a_dictionary_would_end_them()
    {
        var seed = int.TryParse(
            Environment.GetEnvironmentVariable(StorageProxySpecification.SeedVariable), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var given)
                ? given
                : Random.Shared.Next();
        var random = new Random(seed);
        await using var store = await _table.OpenAsync();
        var keys = Enumerable.Range(0, 150).Select(i => $"key/{i}").ToArray();

        for (var done = 0; done < Operations; done += KeysOfBatch)
        {
            // Each step of the clock lets the sweepers run beside the writes. The deleted headers are too young to be removed.
            if (done % 2_000 == 0)
                _table.Time.Advance(_table.Options.Sweeping.Interval);
            random.Shuffle(keys);
            await WriteAsync(store, random, keys.Take(KeysOfBatch), $"{StorageProxySpecification.SeedVariable}={seed}, operation {done}");
        }

        foreach (var key in keys)
        {
            var read = await store.ReadAsync(key);
            var (stamp, parts) = _model.GetValueOrDefault(key);
            Assert.True(stamp == read.Version, $"{StorageProxySpecification.SeedVariable}={seed}: a stamp differs.");
            Assert.Equal(parts is not null, read.Exists);
            Assert.Equal(
                (parts ?? []).Select(part => (part.Key, Convert.ToHexString(part.Value))),
                read.Parts.OrderBy(part => part.SubKey).Select(part => (part.SubKey.Text, Convert.ToHexString(part.Value.Span))));
        }
    }

    private async Task WriteAsync(StoreClient store, Random random, IEnumerable<string> keys, string where)
    {
        var batch = new WriteBatch();
        var writes = keys.Select(key => NewWrite(store, random, key)).ToList();
        foreach (var (write, parts) in writes)
            store.Add(batch, write, parts);
        await store.WriteAsync(batch);

        for (var i = 0; i < writes.Count; i++)
        {
            var (write, parts) = writes[i];
            var old = _model.GetValueOrDefault(write.Key.Text);
            var expected = write.Expected == old.Stamp ? WriteOutcomeKind.Committed : WriteOutcomeKind.Conflict;
            Assert.True(expected == batch.OutcomeOf(i).Kind, $"{where}: {batch.OutcomeOf(i).Kind} instead of {expected}; {batch.OutcomeOf(i).Error}");
            if (expected != WriteOutcomeKind.Committed)
                continue;
            _stale.Add(old.Stamp);
            _model[write.Key.Text] = (write.Next, write.Kind == KeyWriteKind.Delete ? null : Apply(write.Kind == KeyWriteKind.Merge ? old.Parts : null, parts));
        }
    }

    private (KeyWrite Write, PartWrite[] Parts) NewWrite(StoreClient store, Random random, string key)
    {
        var expected = random.Next(500) == 0 ? _stale[random.Next(_stale.Count)] : _model.GetValueOrDefault(key).Stamp;
        var kind = random.Next(300) switch { 0 => KeyWriteKind.Delete, 1 => KeyWriteKind.Replace, _ => KeyWriteKind.Merge };
        if (kind == KeyWriteKind.Delete)
            return (store.NewWrite(key, expected, kind), []);
        var parts = new List<PartWrite>();
        if (random.Next(20) > 0)
            parts.Add(Part("", NewValue(random)));
        foreach (var subKey in SubKeys)
        {
            if (random.Next(60) == 0)
                parts.Add(random.Next(4) == 0 ? NoPart(subKey) : Part(subKey, NewValue(random)));
        }

        return (store.NewWrite(key, expected, kind), [.. parts]);
    }

    private static byte[] NewValue(Random random)
    {
        var value = new byte[random.Next(40)];
        random.NextBytes(value);
        return value;
    }

    private static SortedDictionary<string, byte[]> Apply(SortedDictionary<string, byte[]>? kept, PartWrite[] parts)
    {
        var result = new SortedDictionary<string, byte[]>(kept ?? [], StringComparer.Ordinal);
        foreach (var part in parts)
        {
            if (part.IsDeleted)
                result.Remove(part.SubKey.Text);
            else
                result[part.SubKey.Text] = part.Value.ToArray();
        }

        return result;
    }
}
