using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>What the default law does in a quiet moment, and when it has one. Nothing swings, so the interval stays what it is to the last digit.</summary>
public sealed class DelayLawQuietMomentTests
{
    private const double Moment = 4_096 + 1_536;

    private readonly DelayLaw _law;

    public DelayLawQuietMomentTests()
        : this(firstLatency: 10)
    {
    }

    private DelayLawQuietMomentTests(double firstLatency, double swing = 0)
    {
        _law = new DelayLaw(new() { Swing = swing });
        Answer(sentAt: 0, firstLatency);
        for (var at = 500; at <= 2_000; at += 500)
            Answer(at, 20 * firstLatency); // a queue: the way down ends
        Send(Moment - 1);
    }

    [Fact]
    public void The_lane_sends_one_key_at_a_time_and_rests_after_each()
    {
        Send(Moment);
        Assert.Equal((TimeSpan.Zero, 1, 1, 1), (_law.Interval, _law.MaxInFlight, _law.MaxBatchKeys, _law.MaxDepartureKeys));

        Answer(Moment, latency: 1, keys: 1);
        Assert.Equal((5, 1, 1), (_law.Interval.TotalMilliseconds, _law.MaxBatchKeys, _law.MaxDepartureKeys)); // from the last send

        Send(Moment + 5);
        Answer(Moment + 5, latency: 1, keys: 1);
        Assert.Equal((8, 8), (_law.MaxBatchKeys, _law.MaxDepartureKeys));

        Send(Moment + 255);
        Assert.Equal(int.MaxValue, _law.MaxDepartureKeys);
    }

    // Requests take some 20 ms in the mean, and leave 400 ms apart.
    [Theory]
    [InlineData(450, 400)] // the next one is answered in time
    [InlineData(405, 405)] // it would not be
    [InlineData(100, 100)] // it would leave too late
    public void What_would_not_be_answered_before_it_leaves_when_it_begins(double before, double wait)
    {
        Send(Moment - before);

        Assert.Equal(wait, _law.Interval.TotalMilliseconds);
    }

    // A request that took two seconds has come back: what waits for it has waited long enough.
    [Fact]
    public void Nothing_waits_for_it_longer_than_the_longest_interval_and_a_quarter_of_a_second()
    {
        Send(Moment - 2_000);
        Answer(Moment - 2_000, latency: 1_990);

        Assert.Equal(400 + 256, _law.Interval.TotalMilliseconds);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(90)] // nor does a queue that is left over
    public void What_it_sees_then_moves_no_interval(double latency)
    {
        Send(Moment - 600);
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
        Assert.NotNull(BecomesAnother(Moment + 1_000, quick: 200));
    }

    // Trials of so long an interval begin at multiples of 4,096 ms, and some of these fall into the quarter of a second that the moment takes. The single key that leaves
    // then is no batch to join a trial with: the next one is, and leaves in its time.
    [Fact]
    public void A_trial_of_what_the_store_keeps_up_with_waits_until_it_is_over()
    {
        var met = 0;
        for (var shift = 0; shift < 4_096; shift += 128)
        {
            var lane = new DelayLawQuietMomentTests(firstLatency: 10, swing: 0.15);
            var moment = Assert.NotNull(lane.BecomesAnother(Moment + 1_000 + shift, quick: 20));
            var boundary = Math.Ceiling(moment / 4_096) * 4_096;
            if (boundary >= moment + 256)
                continue;
            lane.Send(boundary);
            lane.Answer(moment + 250, latency: 10, keys: 1);
            Assert.NotEqual(TimeSpan.Zero, lane._law.Interval);

            lane.Send(moment + 270);
            Assert.Equal(TimeSpan.Zero, lane._law.Interval); // it has joined
            met++;
        }

        Assert.InRange(met, 1, 4);
    }

    // Answers a number of requests quickly and then all slowly; returns when that is found out.
    private double? BecomesAnother(double at, int quick)
    {
        for (var i = 0; i < quick; i++)
            Answer(at += 10, latency: 10, passed: 10);
        for (var i = 0; i < 200; i++)
        {
            Answer(at += 3_000, latency: 2_500, keys: 100, passed: 3_000);
            if (_law.MaxBatchKeys == 1)
                return at + 2_500;
        }

        return null;
    }

    private void Send(double at) => _law.BatchSent(new BatchDeparture(TimeSpan.FromMilliseconds(at), TimeSpan.FromMilliseconds(400), false, Keys: 10));

    private void Answer(double sentAt, double latency, int keys = 10, double passed = 400)
        => _law.RequestAnswered(LawDriver.Request(100, latency, passed, answeredAt: sentAt + latency) with { Operations = keys });
}
