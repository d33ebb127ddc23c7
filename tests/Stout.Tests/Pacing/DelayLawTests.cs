using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>The default law's equations, computed by hand. Intervals are known to a tick, 0.0001 ms.</summary>
public sealed class DelayLawTests
{
    private const double Tick = 0.0002;

    private readonly DelayLaw _law = new(new());
    private double _now;

    private double Interval => _law.Interval.TotalMilliseconds;

    [Fact]
    public void It_begins_with_the_initial_interval_and_all_requests_allowed()
    {
        Assert.Equal(3, Interval);
        Assert.Equal(16, _law.MaxInFlight);
        Assert.Equal(int.MaxValue, _law.MaxBatchKeys);
    }

    [Fact]
    public void The_first_answer_shortens_the_interval()
    {
        Answer(latency: 10, passed: 3);

        // Idle latency 2 x 10, as no mean is known yet; no queue, so the excess is -1; with 10 ms under way 3/10 of the step falls to each
        // answer: 3 x e^(-0.1 x 0.3). Then (20 + 0.4 x √(20 x 3)) / 2.9113 = 7.93 are needed, and a quarter of 6.93 as slack: 9.67.
        Assert.Equal(2.9113, Interval, Tick);
        Assert.Equal(10, _law.MaxInFlight);
    }

    [Fact]
    public void On_an_idle_store_every_write_leaves_at_once()
    {
        Answers(count: 500, latency: 2);

        Assert.Equal(TimeSpan.Zero, _law.Interval); // 2/16 is less than a timer can keep
        Assert.Equal(16, _law.MaxInFlight);
    }

    [Theory]
    [InlineData(12, 2.5)] // (2 / 0.4)² / 10
    [InlineData(14, 10)] // (4 / 0.4)² / 10
    [InlineData(18, 40)] // (8 / 0.4)² / 10
    public void It_rests_where_the_delay_is_the_factor_times_the_root_of_idle_latency_times_interval(double latency, double expected)
    {
        Answers(count: 200, latency: 10);
        Answers(count: 2000, latency);

        Assert.Equal(expected, Interval, 0.02 * expected);
    }

    [Theory]
    [InlineData(12, 6)] // 12 under way for 2.5 ms each: 4.8, and a quarter of 3.8
    [InlineData(18, 1)] // 18 under way for 40 ms each
    public void Requests_in_flight_are_as_many_as_latency_and_interval_ask_for(double latency, int expected)
    {
        Answers(count: 200, latency: 10);
        Answers(count: 2000, latency);

        Assert.Equal(expected, _law.MaxInFlight);
    }

    [Fact]
    public void A_queue_deeper_than_four_intervals_and_idle_latencies_takes_a_large_step()
    {
        Answers(count: 200, latency: 10);
        Assert.Equal(0.625, Interval, Tick); // 10/16

        Answer(latency: 60, passed: 0.625);

        Assert.Equal(0.8437, Interval, Tick); // 0.625 x e^0.3: 50 > 4 x 10.625
    }

    [Fact]
    public void An_interval_of_more_than_sixteen_latencies_comes_down_fast()
    {
        var law = new DelayLaw(new() { InitialIntervalMilliseconds = 400 });
        law.RequestAnswered(LawDriver.Request(100, latency: 1, interval: 400, answeredAt: 1000));

        Assert.Equal(311.5203, law.Interval.TotalMilliseconds, Tick); // 400 x e^-0.25
    }

    [Fact]
    public void An_interval_that_does_not_hold_the_application_back_does_not_grow()
    {
        Answers(count: 200, latency: 10, passed: 0.1);

        Answer(latency: 60, passed: 0.1);

        Assert.Equal(0.625, Interval, Tick); // more than four times 0.1
    }

    [Fact]
    public void Refusals_lengthen_the_interval_by_half_once_a_round()
    {
        Refuse(sentAt: 10, answeredAt: 20);
        Assert.Equal(4.5, Interval, Tick);

        Refuse(sentAt: 15, answeredAt: 21);
        Assert.Equal(4.5, Interval, Tick);

        Refuse(sentAt: 25, answeredAt: 30, StoreRequestOutcome.Unknown);
        Assert.Equal(6.75, Interval, Tick);
    }

    [Fact]
    public void Answers_let_the_interval_of_refusals_go_slowly()
    {
        Refuse(sentAt: 10, answeredAt: 20);
        Refuse(sentAt: 25, answeredAt: 30);
        _now = 100;
        Answer(latency: 10, passed: 3);

        Assert.Equal(6.7368, Interval, Tick); // 6.75 x 511/512
        Answers(count: 2000, latency: 10);
        Assert.Equal(0.625, Interval, Tick);
    }

    [Fact]
    public void Refusals_lead_no_further_than_their_own_bound()
    {
        for (var i = 1; i <= 100; i++)
            Refuse(sentAt: 10 * i, answeredAt: (10 * i) + 5);

        Assert.Equal(2000, Interval);
    }

    private void Answers(int count, double latency, double? passed = null)
    {
        for (var i = 0; i < count; i++)
            Answer(latency, passed ?? Interval);
    }

    // Answers come 2 ms apart, so that 2,000 of them stay within the memory of the idle store.
    private void Answer(double latency, double passed)
        => _law.RequestAnswered(LawDriver.Request(100, latency, passed, answeredAt: _now += 2));

    private void Refuse(double sentAt, double answeredAt, StoreRequestOutcome outcome = StoreRequestOutcome.Overloaded)
        => _law.RequestAnswered(LawDriver.Request(0, latency: answeredAt - sentAt, interval: 3, answeredAt, outcome: outcome));
}
