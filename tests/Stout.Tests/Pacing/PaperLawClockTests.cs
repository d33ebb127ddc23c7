using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>The times of the law's decisions, and the requests that a decision counts (the paper, section 3.2.1).</summary>
public sealed class PaperLawClockTests
{
    private readonly PaperLaw _law = new(PaperLawParameters.SqlServer);

    [Fact]
    public void With_little_pipelining_it_decides_at_the_tenth_request()
    {
        for (var i = 1; i <= 9; i++)
            Answer(latency: 5, at: 80 * i); // long after half the latency
        Assert.False(HasDecided);

        Answer(latency: 5, at: 800);
        Assert.True(HasDecided);
    }

    [Fact]
    public void With_much_pipelining_it_decides_after_half_the_latency()
    {
        for (var at = 10; at <= 490; at += 10)
            Answer(latency: 1000, at); // 49 requests, but half of 1000 ms has not passed
        Assert.False(HasDecided);

        Answer(latency: 1000, at: 500);
        Assert.True(HasDecided);
    }

    [Fact]
    public void The_next_window_counts_from_the_last_decision()
    {
        for (var i = 0; i < 10; i++)
            Answer(latency: 100, at: 1000);
        Assert.Equal(72.8944, _law.Interval.TotalMilliseconds, 0.0002);

        for (var i = 0; i < 20; i++)
            Answer(latency: 100, at: 1049);
        Assert.Equal(72.8944, _law.Interval.TotalMilliseconds, 0.0002);

        Answer(latency: 100, at: 1050);
        Assert.Equal(66.4588, _law.Interval.TotalMilliseconds, 0.0002);
    }

    [Fact]
    public void Half_the_latency_is_half_of_the_windows_mean()
    {
        for (var i = 0; i < 9; i++)
            Answer(latency: 10, at: 54);
        Answer(latency: 910, at: 49); // mean 100
        Assert.False(HasDecided);

        Answer(latency: 100, at: 50);
        Assert.True(HasDecided);
    }

    [Fact]
    public void Reads_are_requests_too()
    {
        for (var i = 0; i < 10; i++)
            _law.RequestAnswered(LawDriver.Request(100, latency: 20, interval: 80, answeredAt: 1000, kind: StoreRequestKind.Read));

        Assert.True(HasDecided);
    }

    [Fact]
    public void Batches_that_leave_decide_nothing()
    {
        for (var i = 1; i <= 100; i++)
            _law.BatchSent(new BatchDeparture(TimeSpan.FromSeconds(i), TimeSpan.FromSeconds(1), false, Keys: 1));

        Assert.False(HasDecided);
    }

    [Fact]
    public void A_store_out_of_reach_says_nothing()
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.Window(bytes: 0, latency: 2000, interval: 80, outcome: StoreRequestOutcome.Unreachable);

        Assert.Equal(80, driver.Interval);
    }

    [Theory]
    [InlineData(StoreRequestOutcome.Overloaded)]
    [InlineData(StoreRequestOutcome.Unknown)]
    public void A_window_in_which_nothing_got_through_backs_off(StoreRequestOutcome outcome)
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.Window(bytes: 5000, latency: 40, interval: 80, outcome: outcome); // even if it is the first window, which has no earlier one to compare with

        Assert.Equal(88, driver.Interval); // 80 x (1 + 40 / 400)
    }

    // The best throughput is 1000 bytes / (20 + 80) ms = 10 bytes/ms, and the law backs off below 8.5. One refused request of ten leaves 9, two leave 8.
    [Theory]
    [InlineData(1, false)]
    [InlineData(2, true)]
    public void A_refused_request_moves_no_bytes(int refused, bool backsOff)
    {
        for (var i = 0; i < 10; i++)
            Answer(latency: 20, at: 1000);
        for (var i = 0; i < refused; i++)
            _law.RequestAnswered(LawDriver.Request(100, latency: 20, interval: 80, answeredAt: 2000, outcome: StoreRequestOutcome.Overloaded));
        for (var i = refused; i < 10; i++)
            Answer(latency: 20, at: 2000);

        Assert.Equal(backsOff, _law.Interval.TotalMilliseconds > 72.9);
    }

    // The law decides after every ten batches. Each decision shortens the interval by less than a tenth, at first to 0.905 of it. So the recovery takes
    // about 400 ms x 10 x (1 + 0.905 + 0.905² + ...) = 42 s.
    [Fact]
    public void From_400_ms_it_recovers_in_a_good_half_minute_as_in_figure_14()
    {
        var law = new PaperLaw(new PaperLawParameters { InitialInterval = TimeSpan.FromMilliseconds(400) });
        var now = 0.0;
        while (law.Interval > TimeSpan.FromMilliseconds(20))
        {
            var interval = law.Interval.TotalMilliseconds;
            now += interval;
            law.RequestAnswered(LawDriver.Request(bytes: (long)(256 * interval), latency: 3, interval, answeredAt: now));
        }

        Assert.InRange(now, 30_000, 45_000);
    }

    private bool HasDecided => _law.Interval != TimeSpan.FromMilliseconds(80);

    private void Answer(double latency, double at)
        => _law.RequestAnswered(LawDriver.Request(100, latency, interval: 80, answeredAt: at));
}
