using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>
/// Whether the law backs off or accelerates (the paper, section 3.2.2). Each pair of cases lies close on both sides of its equation's limit. The
/// comments say on which side another equation would put the pair. The performance (perf) is bytes / (latency + interval), in bytes/ms.
/// </summary>
public sealed class PaperLawDecisionTests
{
    // The best perf is 20, so the limit is 0.85 x 20 = 17. An average over all windows would be 10.6, its limit 9.0: both cases would accelerate.
    [Theory]
    [InlineData(1690, true)] // perf 16.9
    [InlineData(1710, false)] // perf 17.1
    public void Equation_1_after_an_acceleration_the_best_performance_counts(double bytes, bool backsOff)
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.Window(bytes: 1000, latency: 20, interval: 80); // perf 10
        driver.Window(bytes: 2000, latency: 20, interval: 80); // perf 20

        Assert.Equal(backsOff, driver.BacksOffAfter(bytes, latency: 20, interval: 80));
    }

    // With this threshold and these sizes the limit is exact in binary: the perf is 5, and the limit is 0.5 x 10.
    [Fact]
    public void Performance_at_the_limit_itself_is_good_enough()
    {
        var driver = new LawDriver(new PaperLawParameters { Threshold = 0.5 });
        driver.Window(bytes: 1000, latency: 20, interval: 80); // perf 10

        Assert.False(driver.BacksOffAfter(bytes: 500, latency: 20, interval: 80));
    }

    // The best perf since the back-off is 11, so the limit is 9.35. The best perf ever, 60, has the limit 51: both cases would back off.
    // The newest perf, 10, has the limit 8.5: both cases would accelerate.
    [Theory]
    [InlineData(930, true)]
    [InlineData(940, false)]
    public void Equation_1_the_best_since_the_last_back_off(double bytes, bool backsOff)
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.AccelerateThenBackOff();
        Assert.False(driver.BacksOffAfter(bytes: 1100, latency: 20, interval: 80)); // perf 11
        Assert.False(driver.BacksOffAfter(bytes: 1000, latency: 20, interval: 80)); // perf 10

        Assert.Equal(backsOff, driver.BacksOffAfter(bytes, latency: 20, interval: 80));
    }

    // The current interval, 60 ms, is below the average (EWMA), 80 ms. So perf* = 1000 / (20 + 80) = 10, limit 8.5 x (20 + 60) = 680 bytes.
    // Equation 3 would take 1000 / (20 + 60) = 12.5, limit 10.6: both cases would back off. Equation 1 knows no best perf yet: both would accelerate.
    [Theory]
    [InlineData(670, true)]
    [InlineData(690, false)]
    public void Equation_2_after_a_back_off_the_average_interval_counts_if_it_is_longer(double bytes, bool backsOff)
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.AccelerateThenBackOff();

        Assert.Equal(backsOff, driver.BacksOffAfter(bytes, latency: 20, interval: 60));
    }

    // The current interval, 120 ms, is above the average (EWMA), 80 ms. So perf* = 1000 / (20 + 120) = 7.143, limit 6.071 x (20 + 120) = 850 bytes.
    // Equation 2 would take 10, limit 8.5, 1190 bytes: both cases would back off. Equation 1 knows no best perf yet: both would accelerate.
    [Theory]
    [InlineData(840, true)]
    [InlineData(860, false)]
    public void Equation_3_after_a_back_off_the_current_interval_counts_if_it_is_longer(double bytes, bool backsOff)
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.AccelerateThenBackOff();

        Assert.Equal(backsOff, driver.BacksOffAfter(bytes, latency: 20, interval: 120));
    }

    // After a second back-off EWMA(bytes) = 1000 + (600 - 1000) / 16 = 975, perf* = 9.75, limit 0.85 x 9.75 = 8.29.
    // PacificA: 1000 - 400 / 32 = 987.5, limit 0.7 x 9.875 = 6.91; a sixteenth would give 6.83, and 690 bytes would accelerate.
    // SDS: 1000 - 900 / 16 = 943.75, limit 0.2 x 9.4375 = 1.8875.
    [Theory]
    [InlineData("SqlServer", 600, 820, true)]
    [InlineData("SqlServer", 600, 840, false)]
    [InlineData("PacificA", 600, 690, true)]
    [InlineData("PacificA", 600, 700, false)]
    [InlineData("Sds", 100, 180, true)]
    [InlineData("Sds", 100, 190, false)]
    public void Averages_over_consecutive_back_offs(string calibration, double second, double third, bool backsOff)
    {
        var driver = new LawDriver(PaperLawParametersTests.Calibration(calibration));
        driver.AccelerateThenBackOff();
        Assert.True(driver.BacksOffAfter(second, latency: 20, interval: 80));

        Assert.Equal(backsOff, driver.BacksOffAfter(third, latency: 20, interval: 80));
    }

    // Equation 2 as above, with the limit of 680 bytes. If the average of bytes kept values from before the acceleration, both cases would back off. If
    // the average interval did (400 - 320 / 16 = 380 ms, limit 0.85 x 1000 / 400), both would accelerate.
    [Theory]
    [InlineData(670, true)]
    [InlineData(690, false)]
    public void Averages_begin_anew_after_an_acceleration(double bytes, bool backsOff)
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.Window(bytes: 60_000, latency: 20, interval: 400); // perf 143
        driver.Window(bytes: 1000, latency: 20, interval: 80); // perf 10

        Assert.Equal(backsOff, driver.BacksOffAfter(bytes, latency: 20, interval: 60));
    }

    [Fact]
    public void Waiting_for_work_does_not_count_as_interval()
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.Window(bytes: 1000, latency: 20, interval: 80);
        driver.Window(bytes: 1000, latency: 20, interval: 5000, applicationLimited: true);

        Assert.Equal(66.4588, driver.Interval, 0.0002); // accelerated: perf is 1000 / 92.9, not 1000 / 5020
    }

    [Fact]
    public void A_late_timer_does_count_as_interval()
    {
        var driver = new LawDriver(PaperLawParameters.SqlServer);
        driver.Window(bytes: 1000, latency: 20, interval: 80);

        Assert.True(driver.BacksOffAfter(bytes: 1000, latency: 20, interval: 5000));
    }
}
