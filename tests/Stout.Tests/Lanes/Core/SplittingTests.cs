using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>Dirty keys leave in as many requests as the store's limits require.</summary>
public sealed class SplittingTests
{
    [Fact]
    public void Batches_are_split_by_keys() =>
        Assert.Equal([3, 3, 1], RequestSizes(CoreDriver.Limits with { MaxBatchKeys = 3 }, keys: 7, parts: 1, bytes: 1));

    [Theory]
    [InlineData(8)]
    [InlineData(6)]
    public void Batches_are_split_by_parts(int most) =>
        Assert.Equal([2, 2, 1], RequestSizes(CoreDriver.Limits with { MaxBatchParts = most }, keys: 5, parts: 3, bytes: 1));

    [Theory]
    [InlineData(2999)]
    [InlineData(2000)]
    public void Batches_are_split_by_bytes(int most) =>
        Assert.Equal([2, 2, 1], RequestSizes(CoreDriver.Limits with { MaxBatchBytes = most }, keys: 5, parts: 1, bytes: 1000));

    [Fact]
    public void A_callback_is_asked_for_no_more_bytes_than_fit_into_a_request_by_the_last_sizes()
    {
        var lane = new CoreDriver(limits: CoreDriver.Limits with { MaxBatchBytes = 2000 });
        var handles = Enumerable.Range(0, 5).Select(i => lane.Open($"key {i}")).ToList();
        handles.ForEach(handle => lane.Mark(handle));
        lane.Pass();
        Assert.Equal(5, Assert.Single(lane.Callbacks).Count);
        lane.SerializeAll(bytes: 1000);
        lane.Writes.ToList().ForEach(request => lane.Answer(request));

        handles.ForEach(handle => lane.Mark(handle));
        lane.Pass();

        Assert.Equal([2, 2, 1], lane.Callbacks.Select(c => c.Count));
    }

    [Theory]
    [InlineData(1, 1000)]
    [InlineData(2, 1000)]
    [InlineData(100, 1)]
    public void A_change_of_just_a_limits_size_is_written(int parts, int bytes)
    {
        var lane = new CoreDriver();
        var handle = lane.Open("a");
        for (var i = 0; i < parts; i++)
            lane.Mark(handle, $"part {i}");
        lane.Pass();
        lane.SerializeAll(bytes);

        Assert.Equal((parts, parts * bytes), (Assert.Single(lane.Writes).Batch.PartCount, lane.Writes[0].Batch.Bytes));
    }

    [Theory]
    [InlineData(1, 1001, 1001, 1000, ChangeLimit.ValueBytes)]
    [InlineData(3, 700, 2100, 2000, ChangeLimit.ChangeSetBytes)]
    [InlineData(101, 1, 101, 100, ChangeLimit.ChangeSetParts)]
    public void A_change_above_a_limit_fails_alone_and_says_which(int parts, int bytes, long size, long limit, ChangeLimit kind)
    {
        var lane = new CoreDriver(limits: CoreDriver.Limits with { MaxBatchParts = 100 });
        var large = lane.Open("large");
        for (var i = 0; i < parts; i++)
            lane.Mark(large, $"part {i}");
        var tooLarge = lane.Send(large);
        var other = lane.Change(lane.Open("small"));
        lane.Pass();
        var batches = lane.Callbacks.ToArray();
        foreach (var batch in batches)
        {
            for (var i = 0; i < batch.Count; i++)
                CoreDriver.WriteAsked(batch[i], batch[i].Key.Text == "large" ? bytes : 1);
            lane.EndCallback(batch);
        }

        lane.Pass();
        var failure = tooLarge.FailedWith<ChangeTooLargeException>();
        Assert.Equal(("large", size, limit, kind), (failure.Key.Text, failure.Size, failure.Limit, failure.Kind));
        Assert.DoesNotContain("large'", failure.Message, StringComparison.Ordinal);
        lane.Answer(Assert.Single(lane.Writes));
        Assert.True(other.IsSafe);
    }

    private static List<int> RequestSizes(StorageLimits limits, int keys, int parts, int bytes)
    {
        var lane = new CoreDriver(limits: limits);
        for (var i = 0; i < keys; i++)
        {
            var handle = lane.Open($"key {i}");
            for (var part = 0; part < parts; part++)
                lane.Mark(handle, $"part {part}");
        }

        lane.Pass();
        while (lane.Callbacks.Count > 0)
            lane.SerializeAll(bytes);
        return [.. lane.Writes.Select(w => w.Count)];
    }
}
