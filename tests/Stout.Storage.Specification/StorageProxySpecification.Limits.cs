using static Stout.Storage.Specification.StoreClient;

namespace Stout.Storage.Specification;

public abstract partial class StorageProxySpecification
{
    [Theory]
    [InlineData("")]
    [InlineData("part")]
    public async Task Largest_value_is_kept_and_one_byte_more_is_refused_without_a_trace(string subKey)
    {
        await using var store = await OpenAsync();
        var value = new byte[store.Proxy.Limits.MaxValueBytes + 1];
        value[0] = 1;
        value[^2] = 2;
        var fits = new PartWrite(new SubKey(subKey), IsDeleted: false, value.AsMemory(..^1));
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [fits]);

        var outcome = await store.WriteAsync(
            new KeyWrite(new PartitionKey("key"), KeyWriteKind.Replace, stamp, null, store.NextStamp()), Part(subKey, value));

        Assert.Equal(WriteOutcomeKind.Refused, outcome.Kind);
        Assert.Equal(StoreErrorKind.Refused, Assert.IsType<StoreException>(outcome.Error).Kind);
        var read = await store.ReadAsync("key");
        Assert.Equal(stamp, read.Stamp);
        Assert.True(read.Parts.Single().Value.Span.SequenceEqual(fits.Value.Span));
    }

    [Fact]
    public async Task Change_of_the_most_parts_is_one_write_and_one_part_more_is_refused()
    {
        await using var store = await OpenAsync();
        var parts = Enumerable.Range(0, store.Proxy.Limits.MaxChangeSetParts + 1).Select(i => Part($"{i}", "x")).ToArray();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: parts[..^1]);

        var outcome = await store.WriteAsync(new KeyWrite(new PartitionKey("key"), KeyWriteKind.Replace, stamp, null, store.NextStamp()), parts);

        Assert.Equal(WriteOutcomeKind.Refused, outcome.Kind);
        Assert.Equal(store.Proxy.Limits.MaxChangeSetParts, (await store.ReadAsync("key")).Parts.Count);
    }

    [Fact]
    public async Task Key_that_is_too_large_does_not_stop_the_others_of_its_batch()
    {
        await using var store = await OpenAsync();
        var keys = Enumerable.Range(0, 100).Select(i => new PartitionKey($"key {i}")).Where(key => store.PartitionOf(key) == 0).Take(3).ToList();
        var batch = new WriteBatch();
        foreach (var key in keys)
        {
            var value = new byte[key == keys[1] ? store.Proxy.Limits.MaxValueBytes + 1 : 1];
            batch.Add(new KeyWrite(key, KeyWriteKind.Merge, Stamp.Absent, null, store.NextStamp()), [Part("", value)]);
        }

        await store.WriteAsync(0, batch, TestContext.Current.CancellationToken);

        Assert.Equal(
            [WriteOutcomeKind.Committed, WriteOutcomeKind.Refused, WriteOutcomeKind.Committed],
            Enumerable.Range(0, 3).Select(i => batch.OutcomeOf(i).Kind));
        Assert.True((await store.ReadAsync(keys[1].Text)).Stamp.IsAbsent);
    }
}
