using Stout.Director.Loads;

namespace Stout.Director.Tests.Loads;

public sealed class TrendForecasterTests
{
    private const int Bins = 100;

    private readonly TrendForecaster _forecaster = new(Some.Settings(Bins, DirectorPolicy.Default));
    private readonly Random _random = new(1);
    private LoadForecast _last;

    [Fact]
    public void Under_noise_the_forecast_stays_near_the_mean()
    {
        Feed(50, _ => 1);
        for (var period = 0; period < 500; period++)
        {
            var sum = Next(_ => 1).Sum(rates => rates.Total);
            Assert.InRange(sum, 100 * Bins * 0.94, 100 * Bins * 1.08);
        }
    }

    [Fact]
    public void On_a_ramp_the_forecast_reaches_the_end_of_the_next_period()
    {
        Feed(50, _ => 1);
        for (var period = 1; period <= 20; period++)
        {
            var load = 1 + 0.03 * period;
            var sum = Next(_ => load).Sum(rates => rates.Total) / (100 * Bins);
            // The forecast is ahead by 1.5 periods: from the middle of the measured period to the end of the next one.
            if (period > 6)
                Assert.InRange(sum, load, load + 0.09);
        }
    }

    [Fact]
    public void A_single_bin_that_surges_is_seen_in_its_first_period_and_extrapolated_from_its_second_on()
    {
        Feed(50, _ => 1, noise: 0.01);
        // The first rise may be a step, so it counts once.
        Assert.InRange(Next(bin => bin == 7 ? 4 : 1, noise: 0.01)[7].Total, 390, 410);
        Assert.True(Next(bin => bin == 7 ? 7 : 1)[7].Total > 900);
        var others = Next(bin => bin == 7 ? 10 : 1).Where((_, bin) => bin != 7).Sum(rates => rates.Total);
        Assert.InRange(others, 99 * 100 * 0.95, 99 * 100 * 1.05);
    }

    [Fact]
    public void A_bin_that_rises_by_equal_steps_surges_until_it_stands_still_however_small_the_steps_are_against_its_level()
    {
        // The paper's hotspot: over 15 periods one bin rises to as much as all others together. A period's mean is the load at its middle, and the forecast is
        // for the end of the next period.
        Feed(50, _ => 1, noise: 0.01);
        for (var period = 1; period <= 15; period++)
        {
            var next = Next(bin => bin == 7 ? 1 + 7 * (period - 0.5) : 1, noise: 0.01);
            Assert.Equal(period == 1 ? [7] : [], _last.Surges.Select(surge => surge.Bin));
            Assert.InRange(next[7].Total / (100 * (1 + 7 * (period == 1 ? 0.5 : period + 1))), 0.95, 1.1);
            // The forecast does not extrapolate the rise of this bin to the others.
            Assert.InRange(next.Where((_, bin) => bin != 7).Sum(rates => rates.Total), 99 * 100 * 0.97, 99 * 100 * 1.03);
        }

        Feed(3, bin => bin == 7 ? 106 : 1, noise: 0.01);
        Assert.InRange(Next(bin => bin == 7 ? 106 : 1, noise: 0.01)[7].Total, 100 * 106 * 0.97, 100 * 106 * 1.03);
    }

    [Fact]
    public void A_surge_is_no_growth_of_the_others_from_its_first_period_on()
    {
        Feed(50, _ => 1, noise: 0.01);
        // One bin adds a sixth to the whole load.
        var others = Next(bin => bin == 7 ? 17 : 1, noise: 0.01).Where((_, bin) => bin != 7).Sum(rates => rates.Total);
        Assert.InRange(others, 99 * 100 * 0.98, 99 * 100 * 1.02);
    }

    [Fact]
    public void A_load_that_falls_is_followed_slowly()
    {
        Feed(50, _ => 1);
        var first = Next(_ => 0.5).Sum(rates => rates.Total) / (100 * Bins);
        Assert.InRange(first, 0.6, 1);
        for (var period = 0; period < 30; period++)
            first = Next(_ => 0.5).Sum(rates => rates.Total) / (100 * Bins);
        Assert.InRange(first, 0.45, 0.6);
    }

    [Fact]
    public void A_surge_that_ends_is_left_as_slowly_as_any_fall()
    {
        Feed(50, _ => 1, noise: 0.01);
        Next(bin => bin == 7 ? 4 : 1, noise: 0.01);
        Assert.InRange(Next(_ => 1, noise: 0.01)[7].Total, 360, 380);
        Feed(40, _ => 1, noise: 0.01);
        Assert.InRange(Next(_ => 1, noise: 0.01)[7].Total, 95, 115);
    }

    private void Feed(int periods, Func<int, double> load, double noise = 0.1)
    {
        for (var period = 0; period < periods; period++)
            Next(load, noise);
    }

    private OperationRates[] Next(Func<int, double> load, double noise = 0.1)
    {
        _last = _forecaster.Update(TimeSpan.Zero, [.. Enumerable.Range(0, Bins).Select(bin => new OperationRates(95, 5) * (load(bin) * Math.Exp(noise * Normal())))], _ => true);
        return _last.Next;
    }

    private double Normal() => Math.Sqrt(-2 * Math.Log(1 - _random.NextDouble())) * Math.Cos(2 * Math.PI * _random.NextDouble());
}
