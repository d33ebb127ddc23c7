using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>What the default law makes of a store that refuses for now, computed by hand. Intervals are known to a tick, 0.0001 ms.</summary>
public sealed class DelayLawRefusalTests
{
    private const double Tick = 0.0002;

    private readonly DelayLaw _law = new(new() { Swing = 0 });
    private double _now;

    private double Interval => _law.Interval.TotalMilliseconds;

    [Fact]
    public void Refusals_lengthen_the_interval_by_a_fifth_once_a_round()
    {
        var law = Begun(interval: 3);
        Refuse(law, sentAt: 10, answeredAt: 20);
        Assert.Equal(3.6, law.Interval.TotalMilliseconds, Tick);

        Refuse(law, sentAt: 15, answeredAt: 21);
        Assert.Equal(3.6, law.Interval.TotalMilliseconds, Tick);

        Refuse(law, sentAt: 25, answeredAt: 30);
        Assert.Equal(4.32, law.Interval.TotalMilliseconds, Tick);
    }

    [Fact]
    public void Answers_let_the_interval_of_refusals_go_slowly()
    {
        var law = Begun(interval: 3);
        Refuse(law, sentAt: 10, answeredAt: 20);
        Refuse(law, sentAt: 25, answeredAt: 30);
        law.RequestAnswered(LawDriver.Request(100, latency: 10, interval: 3, answeredAt: 100));

        Assert.Equal(4.3189, law.Interval.TotalMilliseconds, Tick); // 4.32 x 4095/4096
        for (var i = 0; i < 7000; i++)
            law.RequestAnswered(LawDriver.Request(100, latency: 10, interval: 3, answeredAt: 102 + (2 * i)));
        Assert.Equal(0.625, law.Interval.TotalMilliseconds, Tick);
    }

    [Fact]
    public void And_faster_the_longer_nothing_is_refused()
    {
        var law = Begun(interval: 400);
        Refuse(law, sentAt: 10, answeredAt: 20);

        law.RequestAnswered(LawDriver.Request(100, latency: 10, interval: 3, answeredAt: 20 + (3 * 60_000)));
        Assert.Equal(478.8281, law.Interval.TotalMilliseconds, Tick); // 480 x (1 - 10/4096)

        law.RequestAnswered(LawDriver.Request(100, latency: 10, interval: 3, answeredAt: 20 + (9 * 60_000)));
        Assert.Equal(469.2422, law.Interval.TotalMilliseconds, Tick); // x (1 - 82/4096)
    }

    [Fact]
    public void Until_after_ten_minutes_all_of_it_is_history()
    {
        var law = Begun(interval: 400);
        Refuse(law, sentAt: 10, answeredAt: 20);
        Refuse(law, sentAt: 30, answeredAt: 40);
        law.RequestAnswered(LawDriver.Request(100, latency: 10, interval: 3, answeredAt: 40 + (10 * 60_000)));
        Assert.InRange(law.Interval.TotalMilliseconds, 500, 576);

        law.RequestAnswered(LawDriver.Request(100, latency: 10, interval: 3, answeredAt: 41 + (10 * 60_000)));
        Assert.InRange(law.Interval.TotalMilliseconds, 0, 400);
        Assert.Equal(int.MaxValue, law.MaxBatchKeys);
    }

    [Fact]
    public void Refusals_lead_no_further_than_their_own_bound()
    {
        for (var i = 1; i <= 100; i++)
            Refuse(_law, sentAt: 10 * i, answeredAt: (10 * i) + 5);

        Assert.Equal(4000, Interval);
    }

    [Fact]
    public void A_refused_batch_halves_those_to_come_and_answers_let_them_grow_slowly()
    {
        Answer(latency: 10, passed: 400);
        _law.RequestAnswered(LawDriver.Request(0, latency: 1, interval: 3, answeredAt: 20, outcome: StoreRequestOutcome.Overloaded) with { Operations = 1024 });
        Assert.Equal(512, _law.MaxBatchKeys);

        _law.RequestAnswered(LawDriver.Request(0, latency: 1, interval: 3, answeredAt: 20, outcome: StoreRequestOutcome.Overloaded) with { Operations = 1200 });
        Assert.Equal(512, _law.MaxBatchKeys);

        for (var i = 0; i < 4; i++)
            Answer(latency: 10, passed: 400);
        Assert.Equal(513, _law.MaxBatchKeys);
        for (var i = 0; i < 10; i++)
            Refuse(_law, sentAt: 10 * i, answeredAt: (10 * i) + 5);
        Assert.Equal(1, _law.MaxBatchKeys);
    }

    [Fact]
    public void A_refused_read_lengthens_the_interval_and_bounds_no_batch()
    {
        Answer(latency: 10, passed: 400);
        var before = Interval;
        _law.RequestAnswered(LawDriver.Request(0, latency: 1, interval: 3, answeredAt: 20, outcome: StoreRequestOutcome.Overloaded, kind: StoreRequestKind.Read));

        Assert.Equal(1.2 * before, Interval, Tick);
        Assert.Equal(int.MaxValue, _law.MaxBatchKeys);
    }

    private static DelayLaw Begun(double interval) => new(new() { InitialIntervalMilliseconds = interval, Swing = 0 });

    private void Answer(double latency, double passed)
        => _law.RequestAnswered(LawDriver.Request(100, latency, passed, answeredAt: _now += 2));

    private static void Refuse(DelayLaw law, double sentAt, double answeredAt)
        => law.RequestAnswered(LawDriver.Request(0, latency: answeredAt - sentAt, interval: 3, answeredAt, outcome: StoreRequestOutcome.Overloaded));
}
