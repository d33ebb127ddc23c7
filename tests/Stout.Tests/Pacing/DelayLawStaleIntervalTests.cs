using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>How the default law comes back from an interval that some past trouble has left behind, where nothing swings.</summary>
public sealed class DelayLawStaleIntervalTests
{
    private double _now;

    [Fact]
    public void An_interval_of_less_than_sixteen_latencies_comes_down_no_faster_than_others()
    {
        var law = AfterQueue(idle: 1, queue: 200);
        Assert.Equal(64, law.Interval.TotalMilliseconds, 0.0002);

        for (var i = 0; i < 50; i++)
            Assert.InRange(Step(law, latency: 10), 0.9, 1.1); // 10 times 16 is more than the interval; what is idle, 1.8 ms, is not
    }

    [Fact]
    public void One_of_more_comes_down_fast()
    {
        var law = AfterQueue(idle: 10, queue: 200);
        for (var i = 0; i < 5; i++)
            Step(law, latency: 1);

        Assert.Equal(Math.Exp(-0.5), Step(law, latency: 1), 1e-6);
    }

    [Theory]
    [InlineData(400, 30, true)] // 12 ms more than on the idle store; a queue of 42 would be worth having
    [InlineData(400, 35, false)] // 17: more than a third of that
    [InlineData(230, 28, true)] // 10 of 32
    [InlineData(200, 27, false)] // 9 of 30; but 200 ms are less than eight latencies
    public void So_does_one_of_more_than_eight_where_none_of_five_answers_met_a_third_of_the_queue_aimed_at(double longest, double latency, bool comesDownFast)
    {
        var law = AfterQueue(idle: 10, queue: 500, longest);
        for (var i = 0; i < 4; i++)
            Step(law, latency);

        var step = Step(law, latency);

        Assert.InRange(step, comesDownFast ? 0.6 : 0.94, comesDownFast ? 0.61 : 1);
    }

    // Two answers late enough end the way down at the interval that it began with.
    private DelayLaw AfterQueue(double idle, double queue, double longest = 400)
    {
        var law = new DelayLaw(new() { Swing = 0, MaxIntervalMilliseconds = longest });
        foreach (var latency in new[] { idle, queue, queue })
            Step(law, latency);
        return law;
    }

    // What an answer multiplies the interval with.
    private double Step(DelayLaw law, double latency)
    {
        var before = law.Interval;
        law.RequestAnswered(LawDriver.Request(100, latency, interval: 400, answeredAt: _now += 2));
        return law.Interval / before;
    }
}
