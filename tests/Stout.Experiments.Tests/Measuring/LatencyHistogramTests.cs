using FsCheck;
using FsCheck.Fluent;
using Stout.Experiments.Measuring;

namespace Stout.Experiments.Tests.Measuring;

public sealed class LatencyHistogramTests
{
    private static readonly double[] Percents = [0, 1, 50, 90, 99, 99.9, 100];

    // Samples in ticks from 0 to hours; all powers of two are equally likely.
    private static Arbitrary<long[]> Samples =>
        Gen.Choose(0, 40).SelectMany(bits => Gen.Choose(0, int.MaxValue).Select(draw => (1L << bits) - 1 + ((long)draw % (1L << bits))))
            .ArrayOf().Where(samples => samples.Length > 0).ToArbitrary();

    [Fact]
    public void Percentiles_lie_within_one_percent_of_those_of_a_sorted_list() => Prop.ForAll(Samples, static samples =>
    {
        var histogram = Of(samples);
        var sorted = samples.Order().ToArray();
        return Percents.All(percent =>
        {
            var expected = sorted[Math.Max(1, (int)Math.Ceiling(percent / 100 * sorted.Length)) - 1];
            var ticks = histogram.PercentileMilliseconds(percent) * TimeSpan.TicksPerMillisecond;
            return Math.Abs(ticks - expected) <= Math.Max(1e-6, 0.01 * expected);
        });
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Count_mean_and_largest_are_exact() => Prop.ForAll(Samples, static samples =>
    {
        var histogram = Of(samples);
        var mean = samples.Average(sample => (double)sample) / TimeSpan.TicksPerMillisecond;
        return histogram.Count == samples.Length
            && histogram.Max.Ticks == samples.Max()
            && Math.Abs(histogram.MeanMilliseconds - mean) <= 1e-9 * Math.Max(1, mean);
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Two_histograms_added_are_the_histogram_of_all() => Prop.ForAll(Samples, Samples, static (some, others) =>
    {
        var sum = Of(some);
        sum.Add(Of(others));
        var all = Of([.. some, .. others]);
        return sum.Count == all.Count && sum.Max == all.Max && Math.Abs(sum.MeanMilliseconds - all.MeanMilliseconds) <= 1e-9 * Math.Max(1, all.MeanMilliseconds)
            && Percents.All(percent => sum.PercentileMilliseconds(percent) == all.PercentileMilliseconds(percent));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void An_empty_one_has_no_mean_and_no_percentile()
    {
        Assert.True(double.IsNaN(new LatencyHistogram().MeanMilliseconds));
        Assert.True(double.IsNaN(new LatencyHistogram().PercentileMilliseconds(99)));
    }

    private static LatencyHistogram Of(IEnumerable<long> samples)
    {
        var histogram = new LatencyHistogram();
        foreach (var ticks in samples)
            histogram.Record(TimeSpan.FromTicks(ticks));
        return histogram;
    }
}
