using FsCheck;
using FsCheck.Fluent;
using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>The correction of the queue aimed at by what callers feel.</summary>
public sealed class SearchTests
{
    private const double Widest = 0.15;

    private const double LongestInterval = 1000;

    private Search _search = new(Widest, LongestInterval);
    private double _now;
    private double _shortest = double.MaxValue;
    private double _longest;

    [Fact]
    public void The_interval_swings_one_way_and_the_target_twice_as_far_the_other()
    {
        Assert.Equal(Math.Exp(Widest), _search.IntervalSwingAt(0), 9);
        Assert.Equal(Math.Exp(-2 * Widest), _search.TargetSwingAt(0), 9);
        Assert.Equal(Math.Exp(-Widest), _search.IntervalSwingAt(512), 9);
        Assert.Equal(Math.Exp(2 * Widest), _search.TargetSwingAt(512), 9);
        Assert.Equal((_search.IntervalSwingAt(512), _search.TargetSwingAt(512)), (_search.ShorterInterval, _search.ShorterTarget));
        Assert.Equal(1, _search.Factor);
    }

    [Theory]
    [InlineData(5, 0)] // what looks like a queue is the store's own, and the interval is waited for in vain
    [InlineData(5, 0.5)]
    [InlineData(1, 2)] // it falls steeply, and is small already
    public void The_queue_aimed_at_grows_where_callers_wait_longer_with_a_longer_interval(double latency, double steepness)
    {
        Run(seconds: 60, interval: 10, swung => latency / Math.Pow(swung / 10, steepness));

        Assert.InRange(_search.Factor, 1.2, 60);
    }

    [Theory]
    [InlineData(50, 0.5)]
    [InlineData(5, 2)]
    public void And_shrinks_where_they_wait_less(double latency, double steepness)
    {
        Run(seconds: 60, interval: 10, swung => latency / Math.Pow(swung / 10, steepness));

        Assert.InRange(_search.Factor, 0, 0.8);
    }

    [Fact]
    public void A_queue_aimed_at_does_not_grow_where_the_interval_can_be_no_shorter()
    {
        Run(seconds: 60, interval: 10, _ => 5, isShortest: true);

        Assert.Equal(1, _search.Factor, 6);
    }

    [Fact]
    public void But_shrinks_there_as_well()
    {
        Run(seconds: 60, interval: 10, swung => 50 / Math.Sqrt(swung / 10), isShortest: true);

        Assert.InRange(_search.Factor, 0, 0.8);
    }

    [Fact]
    public void It_rests_where_neither_is_better()
    {
        // T/2 + q/T: least where q = T²/2.
        Run(seconds: 60, interval: 10, swung => 50 / swung);

        Assert.InRange(_search.Factor, 0.97, 1.03);
    }

    [Fact]
    public void What_drifts_evenly_leaves_no_trace()
    {
        Run(seconds: 60, interval: 10, swung => (50 / swung) + (_now / 3000));

        Assert.InRange(_search.Factor, 0.9, 1.1);
    }

    [Fact]
    public void Chance_is_hardly_followed()
        => Prop.ForAll(Gen.Choose(0, int.MaxValue - 1).ToArbitrary(), seed =>
        {
            var random = new Random(seed);
            (_search, _now) = (new Search(Widest, LongestInterval), 0);
            for (var i = 0; i < 600; i++)
                Run(seconds: 0.2, interval: 10 / _search.Factor, swung => 50 / swung * -Math.Log(1 - random.NextDouble()));
            return _search.Factor is > 0.6 and < 1.7;
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(50));

    [Fact]
    public void Before_a_quarter_has_settled_its_answers_do_not_count()
    {
        // Quarters of 512 ms to begin with, then of 128.
        Run(seconds: 60, interval: 10, swung => _now > 2048 && _now % 128 < 31 && swung > 10 ? 10 : 50 / swung);

        Assert.InRange(_search.Factor, 0.97, 1.03);
    }

    [Fact]
    public void Nobody_waits_for_the_interval_where_there_is_nothing_to_send()
    {
        Run(seconds: 60, interval: 10, _ => 5, applicationLimited: true);

        Assert.Equal(1, _search.Factor, 6);
    }

    [Fact]
    public void It_swings_less_where_less_will_do()
    {
        Run(seconds: 60, interval: 10, swung => 50 / swung);

        Assert.Equal(0.3 * Widest, Math.Log(_longest / 10), 3);
        Assert.Equal(-0.3 * Widest, Math.Log(_shortest / 10), 3);
    }

    [Fact]
    public void And_as_far_as_it_may_where_chance_hides_the_slope()
    {
        var random = new Random(1);
        Run(seconds: 120, interval: 10, _ => random.Next(2) == 0 ? 20 : 180);

        Assert.InRange(Math.Log(_longest / 10), 0.8 * Widest, Widest + 1e-9);
    }

    [Theory]
    [InlineData(128, 1)]
    [InlineData(256, 0.5)]
    public void But_not_where_even_the_longest_pattern_is_too_short_to_show_anything(double interval, double share)
    {
        var random = new Random(1);
        Run(seconds: 120, interval, _ => random.Next(2) == 0 ? 20 : 4_000);

        Assert.Equal(share * Widest, Math.Log(_longest / interval), 3);
    }

    [Fact]
    public void However_far_a_short_interval_may_swing_a_long_one_swings_less_at_once()
    {
        Run(seconds: 0.1, interval: 100, _ => 5);
        Assert.Equal(Widest, Math.Log(_longest / 100), 9);

        Run(seconds: 0.2, interval: 256, _ => 5); // within the pattern
        Assert.Equal(0.5 * Widest, Math.Log(_search.IntervalSwingAt(0)), 9);
    }

    [Theory]
    [InlineData(990, 0.99)]
    [InlineData(1000, 0.9925)] // just enough to be measured by
    public void Nor_does_it_swing_farther_than_the_longest_interval_leaves_room_for(double interval, double shorter)
    {
        Run(seconds: 1, interval, _ => 5);

        Assert.Equal(shorter, _search.ShorterInterval, 0.0001);
    }

    [Theory]
    [InlineData(10, 1)] // a tenth of the latency: the swing costs next to nothing
    [InlineData(400, 0.3)]
    public void The_shorter_the_interval_is_against_the_latency_the_farther_it_swings(double interval, double share)
    {
        var random = new Random(1);
        Run(seconds: 120, interval, _ => random.Next(2) == 0 ? 80 : 120);

        Assert.Equal(share * Widest, Math.Log(_longest / interval), 3);
    }

    [Fact]
    public void What_no_slope_confirms_is_forgotten_within_a_minute()
    {
        Run(seconds: 60, interval: 10, _ => 5);
        var learned = Math.Log(_search.Factor);

        Run(seconds: 60, interval: 10, swung => 50 / swung);

        Assert.InRange(Math.Log(_search.Factor) / learned, 0.1, 0.2);
    }

    [Fact]
    public void A_slope_steeper_than_stores_have_counts_for_no_more_than_they_have()
    {
        // With a longer interval callers wait a small part as long: a slope of −5 or more, as plain as can be.
        var largest = 0.0;
        for (var i = 0; i < 200; i++)
        {
            var before = Math.Log(_search.Factor);
            Run(seconds: 0.005, interval: 1, swung => Math.Pow(swung, -12));
            largest = Math.Max(largest, before - Math.Log(_search.Factor));
        }

        Assert.InRange(largest, 1, 1.5);
    }

    [Theory]
    [InlineData(9_950, 1)] // the first answer comes some 20 ms later
    [InlineData(10_000, 0.3)]
    public void Who_comes_from_no_interval_for_long_swings_a_little_at_first(double length, double share)
    {
        Run(seconds: 0.1, interval: 10, _ => 5);
        _search.Pause(_now);
        _search.Pause(_now += length); // it is the first that counts
        Run(seconds: 0.1, interval: 10, _ => 5);

        Assert.Equal(share * Widest, Math.Log(_search.IntervalSwingAt(0)), 9);
    }

    [Fact]
    public void What_is_answered_while_nothing_swings_shows_nothing()
    {
        for (var i = 0; i < 1000; i++)
        {
            Run(seconds: 0.1, interval: 10, _ => 5);
            _search.Pause(_now);
        }

        Assert.Equal(1, _search.Factor, 6);
    }

    // One batch after another at the swung interval. The extremes of the interval are those of the last ten seconds.
    private void Run(double seconds, double interval, Func<double, double> latency, bool applicationLimited = false, bool isShortest = false)
    {
        var end = _now + (seconds * 1000);
        while (_now < end)
        {
            var swung = interval * _search.IntervalSwingAt(_now);
            _now += swung;
            if (_now > end - 10_000)
                (_shortest, _longest) = (Math.Min(_shortest, swung), Math.Max(_longest, swung));
            var took = latency(swung);
            var request = LawDriver.Request(100, took, swung, answeredAt: _now + took, applicationLimited) with { Operations = 5 };
            _search.Add(request, took, swung, interval, interval * _search.IntervalSwingAt(_now), isShortest);
        }
    }
}
