using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>Full requests before a full store leave as soon as the lane is answered, and in the ordinary way again where they are not.</summary>
public sealed class DelayLawFullRequestsTests
{
    private const double OneKey = 1;
    private const double PerKey = 0.1;

    private readonly DelayLaw _law = new(new() { Swing = 0 });
    private double _now;

    [Fact]
    public void Full_requests_leave_as_soon_as_the_lane_is_answered()
    {
        ComeDown();
        Answer(upTo: _now + 5_000, keys: 200, timesIdle: 5);
        Assert.True(_law.Interval > TimeSpan.Zero); // what idle is has to be learned

        Answer(upTo: _now + 3_000, keys: 200, timesIdle: 5);
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
    }

    [Fact]
    public void What_once_was_full_and_no_longer_is_leaves_after_its_interval_again()
    {
        ComeDown();
        Answer(upTo: _now + 10_000, keys: 200, timesIdle: 5);
        Answer(upTo: _now + 3_000, keys: 20, timesIdle: 5);

        Assert.True(_law.Interval > TimeSpan.Zero);
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

    private void Send(int keys, double timesIdle)
    {
        var latency = timesIdle * (OneKey + (PerKey * (keys - 1)));
        _law.BatchSent(new BatchDeparture(TimeSpan.FromMilliseconds(_now), Interval: default, ApplicationLimited: false, keys));
        _now += latency;
        _law.RequestAnswered(LawDriver.Request(100 * keys, latency, interval: latency, answeredAt: _now) with { Operations = keys });
    }
}
