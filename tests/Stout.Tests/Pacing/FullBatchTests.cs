using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>How many keys a request carries where many wait.</summary>
public sealed class FullBatchTests
{
    [Theory]
    [InlineData(2, 0.5, 80)] // 40 ms of keys: twenty times what one alone takes
    [InlineData(10, 0.001, 200_000)]
    [InlineData(1, 100, 1)]
    [InlineData(1, 0, int.MaxValue)] // keys seem to cost nothing
    [InlineData(1e9, 1e-9, int.MaxValue)]
    public void A_request_is_full_when_its_keys_take_twenty_times_what_one_key_takes(double fixedPart, double perKey, int keys)
        => Assert.Equal(keys, new FullBatch(fixedPart, perKey).Keys);

    [Theory]
    [InlineData(0, 80)]
    [InlineData(80, 80)]
    [InlineData(323, 80)] // five requests, the last one of three keys
    [InlineData(4_000, 1_000)] // more than full ones carry away, perhaps
    [InlineData(int.MaxValue, int.MaxValue / 4)]
    public void A_backlog_leaves_in_full_requests_or_in_four(int waiting, int most) => Assert.Equal(most, new FullBatch(2, 0.5).KeysOf(waiting));

    [Theory]
    [InlineData(0, 1, 80)]
    [InlineData(80, 1, 80)]
    [InlineData(150, 1, 150)]
    [InlineData(901, 3, 301)] // nothing is left for a fourth
    [InlineData(int.MaxValue, 1, int.MaxValue)]
    public void Where_requests_follow_answers_a_backlog_leaves_at_once(int waiting, int inFlight, int most)
        => Assert.Equal(most, new FullBatch(2, 0.5).KeysOf(waiting, inFlight));

    // What full batches are for: a store whose answers vary by multiples, and one request in flight. What gathers meanwhile is the next batch.
    [Fact]
    public void Where_answers_vary_by_multiples_a_backlog_drains_sooner_in_full_batches()
    {
        var full = new FullBatch(fixedPart: 0.3, perKey: 0.04);
        var (bounded, unbounded) = (new List<double>(), new List<double>());
        for (var seed = 0; seed < 20; seed++)
        {
            bounded.Add(MeanBacklog(full.KeysOf, seed));
            unbounded.Add(MeanBacklog(waiting => waiting, seed));
        }

        bounded.Sort();
        unbounded.Sort();
        Assert.True(3 * bounded[10] < unbounded[10], $"{bounded[10]:0} keys wait in full batches, {unbounded[10]:0} in one");
        Assert.True(3 * bounded[18] < unbounded[18], $"{bounded[18]:0} keys wait in full batches, {unbounded[18]:0} in one");
    }

    // In a minute of the store's time, at three quarters of its capacity.
    private static double MeanBacklog(Func<int, int> keysOf, int seed)
    {
        const double PerMillisecond = 4;
        var random = new Random(seed);
        double now = 0, waiting = 1, z = 0, sum = 0;
        while (now < 60_000)
        {
            var keys = Math.Min((int)waiting, keysOf((int)waiting));
            z = (0.5 * z) + (Math.Sqrt(0.75) * Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble()));
            var latency = (0.1 + (0.04 * keys)) * (1 + (2.5 * Math.Exp(0.9 * z)));
            waiting += (PerMillisecond * latency) - keys;
            sum += latency * waiting;
            now += latency;
            waiting = Math.Max(1, waiting);
        }

        return sum / now;
    }
}
