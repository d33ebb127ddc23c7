using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>Which message waits for which batch, and what a batch carries.</summary>
public sealed class DependencyTests
{
    private readonly CoreDriver _lane = new();

    [Fact]
    public void Message_for_a_clean_key_is_released_at_once()
    {
        var message = _lane.Send(_lane.Open("a"));
        _lane.Pass();

        Assert.True(message.IsSafe);
    }

    [Fact]
    public void Message_for_a_dirty_key_waits_for_the_batch_that_carries_it()
    {
        var message = _lane.Change(_lane.Open("a"));
        _lane.Pass();
        _lane.SerializeAll();
        Assert.False(message.IsReleased);

        _lane.Answer(_lane.Writes[0]);

        Assert.True(message.IsSafe);
    }

    [Fact]
    public void Message_for_a_key_in_flight_and_clean_waits_for_that_batch()
    {
        var handle = _lane.Open("a");
        var request = _lane.SendChange(handle);
        var message = _lane.Send(handle);
        _lane.Pass();
        Assert.False(message.IsReleased);

        _lane.Answer(request);

        Assert.True(message.IsSafe);
    }

    [Fact]
    public void A_key_has_one_batch_in_flight_and_its_later_changes_collapse_into_the_next()
    {
        var handle = _lane.Open("a");
        var request = _lane.SendChange(handle);
        var later = Enumerable.Range(0, 100).Select(_ => _lane.Change(handle)).ToList();
        _lane.Pass();
        Assert.Empty(_lane.Callbacks);

        _lane.Answer(request);
        _lane.SerializeAll();

        Assert.Equal(1, Assert.Single(_lane.Writes).Batch.PartCount);
        _lane.Answer(_lane.Writes[0]);
        Assert.Equal(later, _lane.Released);
        Assert.Equal((101, 2), (_lane.Core.GetStatistics().Changes, _lane.Core.GetStatistics().KeysWritten));
    }

    [Fact]
    public void A_change_made_while_its_key_is_being_serialized_waits_for_the_next_batch()
    {
        var handle = _lane.Open("a");
        var first = _lane.Change(handle);
        _lane.Pass();
        var second = _lane.Change(handle);
        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0]);
        Assert.Equal([first], _lane.Released);

        _lane.SerializeAll();
        _lane.Answer(_lane.Writes[0]);

        Assert.Equal([first, second], _lane.Released);
    }

    [Fact]
    public void One_million_dirty_keys_drain_in_batches_within_the_limits()
    {
        var lane = new CoreDriver(new StoutOptions { MaxDirtyKeys = int.MaxValue }, CoreDriver.Limits with { MaxBatchKeys = 10_000, MaxBatchBytes = 100_000 });
        lane.Law.MaxInFlight = 4;
        for (var i = 0; i < 1_000_000; i++)
        {
            var handle = new KeyHandle(lane, new PartitionKey($"{i}"));
            handle.Open();
            lane.Mark(handle);
        }

        var written = 0;
        lane.Pass();
        while (lane.Callbacks.Count + lane.Writes.Count > 0)
        {
            lane.SerializeAll(bytes: 16);
            Assert.InRange(lane.Writes.Count, 1, 4);
            foreach (var request in lane.Writes.ToArray())
            {
                Assert.InRange(request.Batch.Bytes, 16, 100_000);
                written += request.Count;
                lane.Answer(request);
            }
        }

        Assert.Equal(1_000_000, written);
        Assert.Equal(0, lane.Core.GetStatistics().DirtyKeys);
    }
}
