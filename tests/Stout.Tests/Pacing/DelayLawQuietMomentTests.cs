using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>What the default law does in a quiet moment, and when it has one. Nothing swings, so the interval stays what it is to the last digit.</summary>
public sealed class DelayLawQuietMomentTests
{
    private const double Moment = 4_096 + 1_024;

    private readonly DelayLaw _law = new(new() { Swing = 0 });

    public DelayLawQuietMomentTests()
        : this(firstLatency: 10)
    {
    }

    private DelayLawQuietMomentTests(double firstLatency)
    {
        Answer(sentAt: 0, firstLatency);
        for (var at = 500; at <= 2_000; at += 500)
            Answer(at, 20 * firstLatency); // a queue: the way down ends
        Send(Moment - 1);
    }

    [Fact]
    public void The_lane_sends_one_key_at_a_time_each_as_soon_as_the_last_is_answered()
    {
        Send(Moment);
        Assert.Equal((TimeSpan.Zero, 1, 1), (_law.Interval, _law.MaxInFlight, _law.MaxBatchKeys));

        Send(Moment + 25);
        Assert.Equal((TimeSpan.Zero, 1, 1), (_law.Interval, _law.MaxInFlight, _law.MaxBatchKeys));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(90)] // nor does a queue that is left over
    public void What_it_sees_then_moves_no_interval(double latency)
    {
        var before = (_law.Interval, _law.MaxInFlight, _law.MaxBatchKeys);

        Send(Moment);
        for (var at = Moment; at < Moment + 25; at += 5)
            Answer(at, latency, keys: 1);
        Send(Moment + 35);

        Assert.Equal(before, (_law.Interval, _law.MaxInFlight, _law.MaxBatchKeys));
    }

    [Fact]
    public void What_took_the_others_queue_for_idle_learns_of_the_queue()
    {
        var taught = IntervalAfter(quietLatency: 1);
        var untaught = IntervalAfter(quietLatency: 100);

        Assert.True(taught > untaught); // what requests take is a queue, so the interval grows

        static double IntervalAfter(double quietLatency)
        {
            var lane = new DelayLawQuietMomentTests(firstLatency: 100);
            lane.Send(Moment);
            for (var at = Moment; at < Moment + 25; at += 5)
                lane.Answer(at, quietLatency, keys: 1);
            for (var i = 0; i < 20; i++)
                lane.Answer(Moment + 200 + (20 * i), latency: 110);
            return lane._law.Interval.TotalMilliseconds;
        }
    }

    [Fact]
    public void A_store_that_has_become_another_one_is_asked_for_one_key()
    {
        var (at, asked) = (Moment + 1_000, false);
        for (var i = 0; i < 200; i++)
            Answer(at += 10, latency: 10, passed: 10);
        for (var i = 0; i < 200 && !asked; i++)
        {
            Answer(at += 3_000, latency: 2_500, passed: 3_000);
            asked = _law.MaxBatchKeys == 1;
        }

        Assert.True(asked);
    }

    private void Send(double at) => _law.BatchSent(new BatchDeparture(TimeSpan.FromMilliseconds(at), TimeSpan.FromMilliseconds(400), false, Keys: 10));

    private void Answer(double sentAt, double latency, int keys = 10, double passed = 400)
        => _law.RequestAnswered(LawDriver.Request(100, latency, passed, answeredAt: sentAt + latency) with { Operations = keys });
}
