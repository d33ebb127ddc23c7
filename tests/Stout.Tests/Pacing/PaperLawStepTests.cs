using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>
/// How far the law backs off and accelerates (the paper, section 3.2.3). Intervals are rounded to a tick, 0.0001 ms; the tests allow two.
/// </summary>
public sealed class PaperLawStepTests
{
    private const double Tick = 0.0002;

    [Fact]
    public void It_begins_with_the_initial_interval()
        => Assert.Equal(TimeSpan.FromMilliseconds(80), new PaperLaw(new()).Interval);

    [Fact]
    public void The_first_decisions_accelerate()
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);

        driver.Window(bytes: 1000, latency: 20, interval: 80);
        Assert.Equal(72.8944, driver.Interval, Tick); // 0.9 x 80 + 0.1 x 8.94427

        driver.Window(bytes: 1000, latency: 20, interval: 80);
        Assert.Equal(66.4588, driver.Interval, Tick); // 0.9 x 72.89443 + 0.1 x 8.53782 = 65.60499 + 0.85378
    }

    [Fact]
    public void Alpha_is_the_latency_divided_by_400()
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.AccelerateThenBackOff();

        // alpha = 20 / 400 = 0.05, and 72.89443 x 1.05 = 76.53915. The formula's misprint MAX(0.05, 0.5) would give 109.34.
        Assert.Equal(76.5391, driver.Interval, Tick);
    }

    [Fact]
    public void Alpha_is_at_most_a_half()
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.Window(bytes: 6000, latency: 20, interval: 80);
        driver.Window(bytes: 1000, latency: 1000, interval: 80);

        // 1000 / 400 = 2.5, bounded to 0.5: 72.89443 x 1.5. The misprint MAX(2.5, 0.5) would give 255.13.
        Assert.Equal(109.3416, driver.Interval, Tick);
    }

    [Theory]
    [InlineData(198, 108.9772)] // 72.89443 x 1.495
    [InlineData(200, 109.3416)] // 72.89443 x 1.5
    [InlineData(202, 109.3416)]
    public void Alpha_reaches_its_bound_at_200_ms(double latency, double expected)
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.Window(bytes: 6000, latency: 20, interval: 80);
        driver.Window(bytes: 1000, latency, interval: 80);

        Assert.Equal(expected, driver.Interval, Tick);
    }

    [Fact]
    public void Alpha_averages_the_latency_over_consecutive_back_offs()
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.AccelerateThenBackOff();
        driver.Window(bytes: 600, latency: 100, interval: 80); // perf 3.33 against 10

        // EWMA(lat) = 20 + (100 - 20) / 16 = 25, alpha = 25 / 400 = 0.0625: 76.53915 x 1.0625.
        Assert.Equal(81.3228, driver.Interval, Tick);
    }

    [Fact]
    public void Alpha_forgets_latencies_from_before_the_last_acceleration()
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.Window(bytes: 60_000, latency: 1000, interval: 80); // accelerates: it is the first
        driver.Window(bytes: 1000, latency: 20, interval: 80); // perf 10 against 55.6

        Assert.Equal(76.5391, driver.Interval, Tick); // alpha = 20 / 400, not (1000 + (20 - 1000) / 16) / 400
    }

    [Fact]
    public void The_interval_stops_at_400_ms()
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.Window(bytes: 6_000_000, latency: 1000, interval: 80);
        driver.Window(bytes: 1000, latency: 1000, interval: 80);
        driver.Window(bytes: 800, latency: 1000, interval: 80);
        driver.Window(bytes: 600, latency: 1000, interval: 80);
        driver.Window(bytes: 400, latency: 1000, interval: 80);
        Assert.Equal(369.028, driver.Interval, 0.001); // 72.89443 x 1.5 x 1.5 x 1.5 x 1.5

        driver.Window(bytes: 200, latency: 1000, interval: 80); // 1.5 times as much is 553.5
        Assert.Equal(400, driver.Interval);
        driver.Window(bytes: 0, latency: 1000, interval: 80);
        Assert.Equal(400, driver.Interval);
    }

    [Fact]
    public void Accelerating_without_end_comes_to_1_ms_and_stays()
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        for (var i = 0; i < 400; i++)
            driver.Window(bytes: 1000, latency: 0.1, interval: 1);

        Assert.Equal(1, driver.Interval, Tick); // 0.9 x 1 + 0.1 x √1
    }

    [Fact]
    public void The_interval_stops_at_the_shortest_one_allowed()
    {
        var driver = new LawDriver(new PaperLawParameters { MinInterval = TimeSpan.FromMilliseconds(75) });
        driver.Window(bytes: 1000, latency: 20, interval: 80);

        Assert.Equal(75, driver.Interval); // not 72.89
    }
}
