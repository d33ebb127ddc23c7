using System.Globalization;
using Stout.Storage;
using Stout.Testing;

namespace Stout.SqlServer.Tests;

/// <summary>A hundred thousand writes in large batches, compared with a model that has the same writes.</summary>
public sealed class ModelTests : IAsyncDisposable
{
    private const int Batches = 1_000;
    private const int KeysPerBatch = 100;
    private static readonly string[] SubKeys = ["", "a", "A", "a\0", "\u0301", "'; --", "日本 😀"];
    private readonly ServerSchema _schema = new();

    public ValueTask DisposeAsync() => _schema.DisposeAsync();

    [Fact]
    public async Task Hundred_thousand_operations_leave_what_a_dictionary_would_hold()
    {
        await using var store = await _schema.OpenAsync();
        var seed = int.TryParse(Environment.GetEnvironmentVariable(StorageProxySpecification.SeedVariable), CultureInfo.InvariantCulture, out var given) ? given : 5;
        var random = new Random(seed);
        string[] keys = [.. Enumerable.Range(0, 300).Select(i => $"{(char)(i % 32)}key%/\\'\"😀{i / 3}{new string('\0', i % 3)}")];
        var model = keys.ToDictionary(key => key, _ => (Stamp: Stamp.Absent, Exists: false, Parts: new Dictionary<string, byte[]>()));

        for (var round = 0; round < Batches; round++)
        {
            random.Shuffle(keys);
            var batch = new WriteBatch();
            var writes = keys[..KeysPerBatch].Select(key => (Key: key, Write: NewWrite(store, random, key, model[key].Stamp), Parts: NewParts(random))).ToList();
            foreach (var (_, write, parts) in writes)
                store.Add(batch, write, write.Kind == KeyWriteKind.Delete ? [] : parts);
            await store.WriteAsync(batch);
            for (var i = 0; i < writes.Count; i++)
            {
                var (key, write, parts) = writes[i];
                var fits = write.Expected == model[key].Stamp;
                Assert.True(batch.OutcomeOf(i).Kind == (fits ? WriteOutcomeKind.Committed : WriteOutcomeKind.Conflict), $"Seed {seed}, batch {round}: {batch.OutcomeOf(i)}");
                if (fits)
                    model[key] = (write.Next, write.Kind != KeyWriteKind.Delete, Apply(model[key].Parts, write.Kind, parts));
            }
        }

        var reads = await store.ReadAsync(keys);
        for (var i = 0; i < keys.Length; i++)
        {
            var expected = model[keys[i]];
            Assert.Equal((expected.Stamp, expected.Exists), (reads[i].Version, reads[i].Exists));
            Assert.Equal(
                expected.Parts.OrderBy(part => part.Key, StringComparer.Ordinal).Select(part => (part.Key, Convert.ToHexString(part.Value))),
                reads[i].Parts.OrderBy(part => part.SubKey).Select(part => (part.SubKey.Text, Convert.ToHexString(part.Value.Span))));
        }
    }

    private static KeyWrite NewWrite(StoreClient store, Random random, string key, Stamp stored) => store.NewWrite(
        key,
        random.Next(20) == 0 ? store.NextStamp() : stored,
        random.Next(10) switch { < 7 => KeyWriteKind.Merge, 7 or 8 => KeyWriteKind.Replace, _ => KeyWriteKind.Delete });

    private static PartWrite[] NewParts(Random random) =>
    [
        .. SubKeys.Where((_, i) => random.Next(i == 0 ? 2 : 12) == 0).Select(subKey =>
        {
            var value = new byte[random.Next(50) == 0 ? 5_000 : random.Next(40)];
            random.NextBytes(value);
            return random.Next(5) == 0 ? StoreClient.NoPart(subKey) : StoreClient.Part(subKey, value);
        }),
    ];

    private static Dictionary<string, byte[]> Apply(Dictionary<string, byte[]> old, KeyWriteKind kind, PartWrite[] parts)
    {
        var kept = kind == KeyWriteKind.Merge ? new Dictionary<string, byte[]>(old) : [];
        foreach (var part in kind == KeyWriteKind.Delete ? [] : parts)
        {
            if (part.IsDeleted)
                kept.Remove(part.SubKey.Text);
            else
                kept[part.SubKey.Text] = part.Value.ToArray();
        }

        return kept;
    }
}
