using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>
/// What the default law does when it takes the store for another one: requests took 10 ms and left 10 ms apart; now they take 60 and leave 60 apart. Nothing swings, so nobody
/// tries what the store keeps up with.
/// </summary>
public sealed class DelayLawAnotherStoreTests
{
    private const double Quick = 10;
    private const double Slow = 60;

    private double _now;

    [Theory]
    [InlineData(400, true)]
    [InlineData(100, false)] // six times more seldom says nothing where the interval is about as long as it may be
    public void It_does_where_batches_leave_much_more_seldom_and_the_queue_stands(double longestInterval, bool expected)
        => Assert.Equal(expected, BecomesAnother(longestInterval) is not null);

    [Fact]
    public void The_interval_becomes_no_shorter_before_eight_answers_have_come()
    {
        var law = BecomesAnother(longestInterval: 400);
        Assert.NotNull(law);
        _now += 256; // the quiet moment
        var intervals = new List<TimeSpan>();
        for (var i = 0; i < 10; i++)
        {
            Answer(law, latency: 0.7 * Slow, Slow);
            intervals.Add(law.Interval);
        }

        Assert.All(intervals[..8], interval => Assert.Equal(intervals[0], interval));
        Assert.True(intervals[8] < intervals[7]);
        Assert.True(intervals[9] < intervals[8]);
    }

    [Fact]
    public void But_comes_down_at_once_after_an_answer_is_lost()
    {
        var law = BecomesAnother(longestInterval: 400);
        Assert.NotNull(law);
        law.RequestAnswered(LawDriver.Request(0, latency: 30_000, Slow, answeredAt: _now += 30_000, outcome: StoreRequestOutcome.Unknown));
        Answer(law, Quick, Slow);
        var before = law.Interval;
        Answer(law, Quick, Slow);
        Answer(law, Quick, Slow);

        Assert.Equal(before / 2, law.Interval);
    }

    // Returns the law as it is when it has found out; null if it never does.
    private DelayLaw? BecomesAnother(double longestInterval)
    {
        var law = new DelayLaw(new() { Swing = 0, MaxIntervalMilliseconds = longestInterval });
        for (var i = 0; i < 1_000; i++)
            Answer(law, Quick, Quick); // ten seconds, so that the next moment in which all lanes are quiet is a minute away
        for (var i = 0; i < 200; i++)
        {
            Answer(law, Slow, Slow);
            if (law.MaxBatchKeys == 1)
                return law;
        }

        return null;
    }

    private void Answer(DelayLaw law, double latency, double passed)
    {
        _now += passed;
        law.BatchSent(new BatchDeparture(TimeSpan.FromMilliseconds(_now), TimeSpan.FromMilliseconds(passed), ApplicationLimited: false, Keys: 10));
        law.RequestAnswered(LawDriver.Request(100, latency, passed, answeredAt: _now + latency) with { Operations = 10 });
    }
}
