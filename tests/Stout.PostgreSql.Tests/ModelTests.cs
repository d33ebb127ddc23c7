using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.PostgreSql.Tests;

/// <summary>A long random run in large batches, compared with a model at its end.</summary>
public sealed class ModelTests(TestDatabase database) : IClassFixture<TestDatabase>
{
    private const int Operations = 100_000;
    private const int Keys = 3_000;

    private readonly TestSchema _schema = new(database);

    [Fact]
    public async Task A_hundred_thousand_operations_end_as_the_model_says()
    {
        var seed = StorageProxySpecification.Seeds.First().Data;
        var random = new Random(seed);
        await using var store = await _schema.OpenAsync();
        var model = new Dictionary<string, (Stamp Stamp, SortedDictionary<string, byte[]>? Parts)>();
        for (var done = 0; done < Operations;)
        {
            var batch = new WriteBatch();
            for (var size = random.Next(1, 1_000); size > 0; size--)
                AddWrite(store, batch, random, model);
            await store.WriteAsync(batch);
            for (var i = 0; i < batch.Count; i++)
                Assert.True(batch.OutcomeOf(i).Kind == WriteOutcomeKind.Committed, $"seed {seed}, operation {done + i}: {batch.OutcomeOf(i)}");
            done += batch.Count;
        }

        foreach (var keys in model.Keys.Chunk(500))
        {
            var reads = await store.ReadAsync(keys);
            for (var i = 0; i < keys.Length; i++)
                Compare(seed, model[keys[i]], reads[i]);
        }

        Assert.Equal(model.Count, await _schema.CountAsync("header"));
    }

    private static void AddWrite(StoreClient store, WriteBatch batch, Random random, Dictionary<string, (Stamp Stamp, SortedDictionary<string, byte[]>? Parts)> model)
    {
        var key = $"key\0{random.Next(Keys)}'";
        if (Enumerable.Range(0, batch.Count).Any(i => batch[i].Key.Text == key))
            return;
        var (stamp, stored) = model.GetValueOrDefault(key);
        var kind = random.Next(10) switch { < 7 => KeyWriteKind.Merge, < 9 => KeyWriteKind.Replace, _ => KeyWriteKind.Delete };
        var parts = kind == KeyWriteKind.Delete ? [] : ((string[])["", "a", "b\0", "é"]).Where(_ => random.Next(2) == 0).Select(NewPart).ToArray();
        var write = store.NewWrite(key, stamp, kind);
        store.Add(batch, write, parts);

        stored = kind == KeyWriteKind.Merge ? stored ?? new(StringComparer.Ordinal) : new(StringComparer.Ordinal);
        foreach (var part in parts)
        {
            if (part.IsDeleted)
                stored.Remove(part.SubKey.Text);
            else
                stored[part.SubKey.Text] = part.Value.ToArray();
        }

        model[key] = (write.Next, kind == KeyWriteKind.Delete ? null : stored);

        PartWrite NewPart(string subKey)
        {
            if (random.Next(4) == 0)
                return NoPart(subKey);
            var value = new byte[random.Next(50) == 0 ? random.Next(20_000) : random.Next(100)];
            random.NextBytes(value);
            return Part(subKey, value);
        }
    }

    private static void Compare(int seed, (Stamp Stamp, SortedDictionary<string, byte[]>? Parts) expected, ReadOutcome read)
    {
        Assert.True((expected.Stamp, expected.Parts is not null) == (read.Version, read.Exists), $"seed {seed}: the header differs; {read.Error}");
        Assert.Equal(expected.Parts?.Keys.ToList() ?? [], read.Parts.Select(part => part.SubKey.Text).Order(StringComparer.Ordinal));
        foreach (var part in read.Parts)
            Assert.True(part.Value.Span.SequenceEqual(expected.Parts![part.SubKey.Text]), $"seed {seed}: a part differs");
    }
}
