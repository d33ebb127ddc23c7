using Stout.Storage;

namespace Stout.Tests.Lanes.Core;

/// <summary>A lane's statistics: each figure, as changes, messages and reads come and go.</summary>
public sealed class StatisticsTests
{
    private readonly CoreDriver _lane = new(interval: 20);

    [Fact]
    public void What_is_undurable_is_counted_until_it_is_durable()
    {
        var handle = _lane.Open("a");
        _lane.Answer(_lane.SendChange(handle));
        _lane.Pass(20);
        _lane.Change(handle);
        _lane.Pass();
        Assert.Equal((1, 10L, 1, 0), Undurable());

        _lane.SerializeAll(bytes: 25);
        _lane.Change(handle);
        Assert.Equal((1, 25L, 2, 1), Undurable());

        // The change that was marked while the request was under way counts with the bytes that the key had in that request.
        _lane.Answer(_lane.Writes[0]);
        Assert.Equal((1, 25L, 1, 0), Undurable());

        _lane.Pass(20);
        _lane.SerializeAll(bytes: 5);
        Assert.Equal((1, 5L, 1, 1), Undurable());
        _lane.Answer(_lane.Writes[0]);
        Assert.Equal((0, 0L, 0, 0), Undurable());
    }

    [Fact]
    public async Task A_filled_key_counts_with_the_size_that_was_read()
    {
        var request = _lane.Fill("a");
        _lane.Pass(20);
        _lane.Answer(_lane.Reads[0], read => ReadOutcome.Found(new Stamp(0, Guid.NewGuid(), 1), [Part("x", 30), Part("y", 12)]));
        _lane.EndDeserialize(_lane.Deserializing[0]);
        _lane.Mark(await CoreDriver.Over(request));

        Assert.Equal((1, 42L, 0, 0), Undurable());
        Assert.Equal((1, 1L), (_lane.Core.GetStatistics().OpenKeys, _lane.Core.GetStatistics().KeysRead));
    }

    [Fact]
    public void A_failed_key_is_undurable_no_more()
    {
        var handle = _lane.Open("a");
        _lane.Change(handle);
        _lane.Pass();
        _lane.SerializeAll();
        _lane.Change(handle);
        _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Conflict);

        Assert.Equal((0, 0L, 0, 0), Undurable());
        var statistics = _lane.Core.GetStatistics();
        Assert.Equal((1L, 0L, 0), (statistics.KeysFailed, statistics.MessagesReleased, statistics.OpenKeys));
        Assert.Null(_lane.Core.OldestChange);
    }

    [Fact]
    public void What_was_written_is_counted_by_keys_bytes_and_requests()
    {
        var (a, b) = (_lane.Open("a"), _lane.Open("b"));
        _lane.Change(a);
        _lane.Change(b);
        _lane.Pass();
        _lane.SerializeAll(bytes: 25);
        _lane.Answer(_lane.Writes[0]);
        _lane.Pass(20);
        _lane.Room.MarkDeleted(a, new SubKey("x"), _lane.Now);
        _lane.Change(a);
        _lane.Pass();
        _lane.SerializeAll(bytes: 5);
        _lane.Answer(_lane.Writes[0]);

        var statistics = _lane.Core.GetStatistics();
        Assert.Equal((4L, 3L, 2L), (statistics.Changes, statistics.KeysWritten, statistics.WriteRequests));
        Assert.Equal((3L, 0L, 2), (statistics.MessagesReleased, statistics.KeysFailed, statistics.OpenKeys));
        Assert.Equal(55, statistics.BytesWritten); // 2 × 25 and 5; a deletion has no bytes
        Assert.Equal(TimeSpan.FromMilliseconds(20), statistics.Interval);
    }

    [Fact]
    public void The_oldest_change_is_the_first_mark_of_what_is_not_durable()
    {
        var (a, b) = (_lane.Open("a"), _lane.Open("b"));
        _lane.Pass(1);
        _lane.Mark(a);
        _lane.Pass(1);
        _lane.SerializeAll();
        _lane.Mark(b);
        _lane.Mark(a);
        Assert.Equal(1, _lane.Core.OldestChange?.TotalMilliseconds);

        // Changes that the store has not taken keep their age.
        _lane.Answer(_lane.Writes[0], WriteOutcomeKind.Overloaded);
        Assert.Equal(1, _lane.Core.OldestChange?.TotalMilliseconds);
        _lane.Pass(100);
        _lane.Pass(1);
        _lane.SerializeAll();
        _lane.Mark(b);
        _lane.Answer(_lane.Writes[0]);

        Assert.Equal(103, _lane.Core.OldestChange?.TotalMilliseconds);
    }

    private static StoredPart Part(string name, int bytes) => new(new SubKey(name), new byte[bytes]);

    private (int Keys, long Bytes, int Messages, int Requests) Undurable()
    {
        var statistics = _lane.Core.GetStatistics();
        return (statistics.DirtyKeys, statistics.UndurableBytes, statistics.WaitingMessages, statistics.RequestsInFlight);
    }
}
