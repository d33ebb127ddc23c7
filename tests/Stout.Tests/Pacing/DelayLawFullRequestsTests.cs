using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>Full requests before a full store leave as soon as the lane is answered, and in the ordinary way again where they are not.</summary>
public sealed class DelayLawFullRequestsTests
{
    private const double OneKey = 1;
    private const double PerKey = 0.1;
    private const int Backlog = 12_000;

    private readonly DelayLaw _law = new(new() { Swing = 0 });
    private double _now;

    [Fact]
    public void Full_requests_leave_as_soon_as_the_lane_is_answered()
    {
        BecomeFull();

        Assert.Equal((TimeSpan.Zero, 1), (_law.Interval, _law.MaxInFlight));
    }

    [Theory]
    [InlineData(20, 5)] // small ones gather
    [InlineData(200, 1.2)] // and nothing waits in a store that has room
    public void Others_after_their_interval(int keys, double timesIdle)
    {
        ComeDown();
        Answer(upTo: _now + 10_000, keys, timesIdle);

        Assert.True(_law.Interval > TimeSpan.Zero);
        Assert.Equal(Backlog / 4, MostKeysOfBacklog());
    }

    // 31 ms of the store's time for a request, one answered each 48: six tenths of one, and four tenths for scatter.
    [Fact]
    public void Where_the_store_works_on_two_for_the_lane_they_leave_apart()
    {
        BecomeFull(timesIdle: 3);

        Assert.Equal(2, _law.MaxInFlight);
        Assert.InRange(_law.Interval.TotalMilliseconds, 14, 20);
    }

    [Fact]
    public void A_backlog_leaves_whole_then()
    {
        BecomeFull();

        Assert.Equal(Backlog, MostKeysOfBacklog());
    }

    [Fact]
    public void A_lost_request_begins_anew()
    {
        BecomeFull();
        _law.RequestAnswered(LawDriver.Request(100, latency: 10, interval: 10, answeredAt: _now += 10, outcome: StoreRequestOutcome.Unknown));

        Assert.True(_law.Interval > TimeSpan.Zero);
    }

    [Fact]
    public void What_once_was_full_and_no_longer_is_leaves_after_its_interval_again()
    {
        BecomeFull();
        Answer(upTo: _now + 3_000, keys: 20, timesIdle: 5);

        Assert.True(_law.Interval > TimeSpan.Zero);
    }

    // Elsewhere that is a store which has become another one: a queue that stands though batches leave six times more seldom. Here it is what fills the store.
    [Fact]
    public void A_queue_that_stands_says_nothing_against_them()
    {
        BecomeFull();
        for (var i = 0; i < 60; i++)
            Send(keys: 200, timesIdle: 40);

        Assert.Equal(TimeSpan.Zero, _law.Interval);
        Assert.Equal(Backlog, MostKeysOfBacklog());
    }

    // Not while what idle is has to be learned.
    private void BecomeFull(double timesIdle = 5)
    {
        ComeDown();
        Answer(upTo: _now + 3_000, keys: 200, timesIdle);
        Assert.Equal(Backlog / 4, MostKeysOfBacklog());

        Answer(upTo: _now + 4_000, keys: 200, timesIdle);
        Assert.NotEqual(Backlog / 4, MostKeysOfBacklog());
    }

    // One key, then many: what the store takes for them when nothing is in the way. Then what ends the way down, a queue.
    private void ComeDown()
    {
        Send(keys: 1, timesIdle: 1);
        for (var i = 0; i < 6; i++)
            Send(keys: 50 * (1 + (i % 3)), timesIdle: 1);
        for (var i = 0; i < 20; i++)
            Send(keys: 100, timesIdle: 3);
    }

    // Now and then the queue is gone for a moment: one that never falls would be a slower store's.
    private void Answer(double upTo, int keys, double timesIdle)
    {
        for (var i = 1; _now < upTo; i++)
            Send(keys, i % 8 < 3 ? 1 : timesIdle);
    }

    private int MostKeysOfBacklog()
    {
        _law.BatchSent(new BatchDeparture(TimeSpan.FromMilliseconds(_now), Interval: default, ApplicationLimited: false, Backlog));
        return _law.MaxBatchKeys;
    }

    private void Send(int keys, double timesIdle)
    {
        var latency = timesIdle * (OneKey + (PerKey * (keys - 1)));
        _law.BatchSent(new BatchDeparture(TimeSpan.FromMilliseconds(_now), Interval: default, ApplicationLimited: false, keys));
        _now += latency;
        _law.RequestAnswered(LawDriver.Request(100 * keys, latency, interval: latency, answeredAt: _now) with { Operations = keys });
    }
}
