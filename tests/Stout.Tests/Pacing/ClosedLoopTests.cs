using Stout.Pacing;
using Stout.Tests.Pacing.Model;

namespace Stout.Tests.Pacing;

/// <summary>The laws in the model of the paper's experiment: 32 middle tiers on 4 store partitions.</summary>
public sealed class ClosedLoopTests(ITestOutputHelper output)
{
    // At 12,000 requests/s the interval never settles: it swings around a mean, as in the paper's figure 10 at 24,000 requests/s. The mean latencies of
    // spans of 40 s differ by a sixth. They differ by more with a law per lane, which decides on smaller batches. So only spans of 200 s and more show a
    // drift.
    [Theory]
    [InlineData(6_000, LawScope.Lane, 120, 1, 2.1)]
    [InlineData(6_000, LawScope.Tier, 120, 1, 2.1)]
    [InlineData(12_000, LawScope.Lane, 900, 50, 90)]
    [InlineData(12_000, LawScope.Tier, 600, 50, 75)]
    public void The_papers_law_converges(double requestsPerSecond, LawScope scope, int seconds, double least, double most)
    {
        var loop = new ClosedLoop(requestsPerSecond, () => new PaperLaw(PaperLawParameters.SqlServer), scope, seed: 1);
        loop.Run(seconds);

        var middle = loop.Log.Mean(seconds / 3, seconds * 2 / 3);
        var last = loop.Log.Mean(seconds * 2 / 3, seconds);
        output.WriteLine($"{requestsPerSecond} requests/s, a law per {scope}: {middle:F2} ms, then {last:F2} ms; interval at the end {loop.MeanInterval:F1} ms");
        Assert.InRange(last / middle, 0.9, 1.1);
        Assert.InRange(last, least, most);
    }

    // The capacities of the paper's table 1: 11,000 requests/s without batching, 13,000 with an interval of 10 ms, and 17,000 with 20 ms. Just above a
    // capacity the queue grows without end.
    [Theory]
    [InlineData(0, 10_500, 11_500)]
    [InlineData(10, 12_500, 13_500)]
    [InlineData(20, 16_000, 17_500)]
    public void The_model_has_the_papers_capacities(double interval, double carried, double tooMuch)
    {
        var (carriedMiddle, carriedLast) = Fixed(interval, carried);
        var (tooMuchMiddle, tooMuchLast) = Fixed(interval, tooMuch);
        output.WriteLine($"{interval} ms: {carriedMiddle:F1} then {carriedLast:F1} ms at {carried}, {tooMuchMiddle:F1} then {tooMuchLast:F1} ms at {tooMuch} requests/s");

        Assert.True(carriedLast < 100);
        Assert.True(tooMuchLast > 1.5 * tooMuchMiddle && tooMuchLast > 200);
    }

    [Theory]
    [InlineData(0, 6_000, 1.6)]
    [InlineData(10, 12_000, 9.6)]
    [InlineData(30, 18_000, 29.3)]
    public void Fixed_intervals_have_known_latencies_in_the_model(double interval, double requestsPerSecond, double expected)
        => Assert.Equal(expected, Fixed(interval, requestsPerSecond).Last, 0.1 * expected);

    // Mean latencies with the best fixed interval of each load: 1.6 ms (no batching), 9.6 (interval 10 ms), 18.9 (30), 25.9 (40) and 64.3 (100). Lanes
    // with fixed intervals keep their phases, so their requests seldom queue. With intervals that adapt, requests queue more near capacity.
    [Theory]
    [InlineData(6_000, 1.4, 1.8)]
    [InlineData(12_000, 8, 11.5)]
    [InlineData(18_000, 16, 28)]
    [InlineData(24_000, 23, 40)]
    [InlineData(36_000, 50, 180)]
    public void The_default_law_stays_near_the_best_fixed_interval(double requestsPerSecond, double least, double most)
    {
        var loop = new ClosedLoop(requestsPerSecond, () => new DelayLaw(new()), LawScope.Lane, seed: 1);
        loop.Run(60);

        var (middle, last) = (loop.Log.Mean(30, 45), loop.Log.Mean(45, 60));
        output.WriteLine($"{requestsPerSecond} requests/s: {middle:F2} ms, then {last:F2} ms; interval at the end {loop.MeanInterval:F1} ms");
        Assert.InRange(last, least, most);
        Assert.InRange(middle, least, most);
    }

    // With a window of one request in flight, the mean latencies at these loads are 1.6, 3.5 and 8.6 ms. A single client can't do better.
    [Theory]
    [InlineData(6_000, 1.7)]
    [InlineData(24_000, 4.2)]
    [InlineData(36_000, 11)]
    public void The_default_law_is_as_good_as_a_window_where_one_client_is_alone(double requestsPerSecond, double most)
    {
        var loop = new ClosedLoop(requestsPerSecond, () => new DelayLaw(new()), LawScope.Lane, seed: 1, tiers: 1);
        loop.Run(30);

        output.WriteLine($"{requestsPerSecond} requests/s: {loop.Log.Mean(10, 30):F2} ms");
        Assert.InRange(loop.Log.Mean(10, 30), 1, most);
    }

    private static (double Middle, double Last) Fixed(double interval, double requestsPerSecond)
    {
        var parameters = new FixedIntervalLawParameters { Interval = TimeSpan.FromMilliseconds(interval) };
        var loop = new ClosedLoop(requestsPerSecond, () => new FixedIntervalLaw(parameters), LawScope.Tier, seed: 1);
        loop.Run(30);
        return (loop.Log.Mean(10, 20), loop.Log.Mean(20, 30));
    }
}
