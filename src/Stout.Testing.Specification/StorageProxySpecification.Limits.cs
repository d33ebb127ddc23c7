using Stout.Storage;
using static Stout.Testing.StoreClient;

namespace Stout.Testing;

public abstract partial class StorageProxySpecification
{
    // 256 MiB: bounds the tests' memory, since a store may accept more than the test machine has.
    private const long LargestTried = 256 << 20;

    /// <summary>
    /// The limits are consistent: the largest value fits into a change set, and the largest change set into a batch. Otherwise the largest value could
    /// never be sent.
    /// </summary>
    [Fact]
    public async Task Limits_fit_into_one_another()
    {
        await using var store = await OpenAsync();
        var limits = store.Proxy.Limits;

        Assert.InRange(store.Partitions, 1, Slots.Count);
        Assert.InRange(limits.MaxValueBytes, 1, limits.MaxChangeSetBytes);
        Assert.InRange(limits.MaxChangeSetBytes, 1, limits.MaxBatchBytes);
        Assert.InRange(limits.MaxChangeSetParts, 1, limits.MaxBatchParts);
        Assert.InRange(limits.MaxBatchKeys, 1, int.MaxValue);
        Assert.True(limits.DeletedHeaderRetention is null || limits.DeletedHeaderRetention > TimeSpan.Zero, "Deleted headers are not kept.");
    }

    /// <summary>The store accepts a value of <see cref="StorageLimits.MaxValueBytes"/> bytes, and keeps nothing of a refused change.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("part")]
    public async Task Largest_value_is_kept_and_one_byte_more_is_refused_without_a_trace(string subKey)
    {
        await using var store = await OpenAsync();
        SkipIfTooLarge(store.Proxy.Limits.MaxValueBytes, nameof(StorageLimits.MaxValueBytes));
        var value = new byte[store.Proxy.Limits.MaxValueBytes + 1];
        value[0] = 1;
        value[^2] = 2;
        var fits = new PartWrite(new SubKey(subKey), IsDeleted: false, value.AsMemory(..^1));
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [fits]);

        var outcome = await store.WriteAsync(store.NewWrite("key", stamp, KeyWriteKind.Replace), Part("other", "fits"), Part(subKey, value));

        CheckRefused(outcome);
        var read = await store.ReadAsync("key");
        Assert.Equal(stamp, read.Version);
        Assert.True(read.Parts.Single().Value.Span.SequenceEqual(fits.Value.Span));
    }

    /// <summary>A change of <see cref="StorageLimits.MaxChangeSetParts"/> parts is accepted, and one of a part more is refused.</summary>
    [Fact]
    public async Task Change_of_the_most_parts_is_one_write_and_one_part_more_is_refused()
    {
        await using var store = await OpenAsync();
        var parts = Enumerable.Range(0, store.Proxy.Limits.MaxChangeSetParts + 1).Select(i => Part($"{i}", "x")).ToArray();
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: parts[..^1]);

        CheckRefused(await store.WriteAsync(store.NewWrite("key", stamp, KeyWriteKind.Replace), parts));

        Assert.Equal(store.Proxy.Limits.MaxChangeSetParts, (await store.ReadAsync("key")).Parts.Count);
    }

    /// <summary>A change of <see cref="StorageLimits.MaxChangeSetBytes"/> bytes is accepted, and one of a byte more is refused.</summary>
    [Fact]
    public async Task Change_of_the_most_bytes_is_one_write_and_one_byte_more_is_refused()
    {
        await using var store = await OpenAsync();
        var limits = store.Proxy.Limits;
        SkipIfTooLarge(limits.MaxChangeSetBytes, nameof(StorageLimits.MaxChangeSetBytes));
        var values = (limits.MaxChangeSetBytes + limits.MaxValueBytes - 1) / limits.MaxValueBytes;
        Assert.SkipUnless(values < limits.MaxChangeSetParts, "The largest values of the most parts are not too large together.");

        // All parts share one array, so that the test itself needs little memory.
        var value = new byte[limits.MaxValueBytes];
        var parts = new List<PartWrite>();
        for (var left = limits.MaxChangeSetBytes; left > 0; left -= limits.MaxValueBytes)
            parts.Add(new PartWrite(new SubKey($"{parts.Count}"), IsDeleted: false, value.AsMemory(..(int)Math.Min(left, limits.MaxValueBytes))));
        var stamp = await store.PutAsync("key", Stamp.Absent, parts: [.. parts]);

        CheckRefused(await store.WriteAsync(store.NewWrite("key", stamp, KeyWriteKind.Replace), [.. parts, Part("one byte more", "x")]));

        var read = await store.ReadAsync("key");
        Assert.Equal((stamp, limits.MaxChangeSetBytes), (read.Version, read.Parts.Sum(part => (long)part.Value.Length)));
    }

    /// <summary>Only the change above the limit fails.</summary>
    [Fact]
    public async Task Key_that_is_too_large_does_not_stop_the_others_of_its_batch()
    {
        await using var store = await OpenAsync();
        SkipIfTooLarge(store.Proxy.Limits.MaxValueBytes, nameof(StorageLimits.MaxValueBytes));
        Assert.SkipUnless(store.Proxy.Limits.MaxBatchKeys >= 3, "A batch has less than three keys.");
        var keys = store.KeysTogether(3);
        var batch = new WriteBatch();
        foreach (var key in keys)
            store.Add(batch, store.NewWrite(key, Stamp.Absent), Part("", new byte[key == keys[1] ? store.Proxy.Limits.MaxValueBytes + 1 : 1]));

        await store.WriteAsync(batch);

        Assert.Equal(
            [WriteOutcomeKind.Committed, WriteOutcomeKind.Refused, WriteOutcomeKind.Committed],
            Enumerable.Range(0, 3).Select(i => batch.OutcomeOf(i).Kind));
        Assert.True((await store.ReadAsync(keys[1])).Version.IsAbsent);
    }

    private static void CheckRefused(in WriteOutcome outcome)
    {
        Assert.Equal(WriteOutcomeKind.Refused, outcome.Kind);
        Assert.Equal(StoreErrorKind.Refused, Assert.IsType<StoreException>(outcome.Error).Kind);
    }

    private static void SkipIfTooLarge(long bytes, string name) =>
        Assert.SkipWhen(bytes > LargestTried, $"{name} is {bytes}: more than this suite tries.");
}
