using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>When all lanes let the store run empty.</summary>
public sealed class QuietMomentTests
{
    // By the clock: some multiple of the period, and midway between the longest trial and the next one.
    private const double Boundary = (1_000 * 65_536) + 1_536;

    private QuietMoment _quiet = new();

    public QuietMomentTests() => _quiet.Add(latency: 20);

    [Theory]
    [InlineData(0, 30)] // a latency and a half
    [InlineData(14, 30)]
    [InlineData(16, 0)] // half of it is over: the others would be done
    public void It_begins_by_the_clock_and_ends_for_all_at_once(double late, double ends)
    {
        Begin();

        _quiet.Advance(Boundary - 1);
        Assert.False(_quiet.IsAt(Boundary - 1));
        _quiet.Advance(Boundary + late);

        Assert.Equal(ends > 0, _quiet.IsAt(Boundary + late));
        Assert.False(_quiet.IsAt(Boundary + ends));
        Assert.False(_quiet.IsAt(Boundary + late - 1)); // what left before it met a queue
    }

    [Fact]
    public void However_long_requests_take_it_lasts_a_quarter_of_a_second()
    {
        Begin();
        for (var i = 0; i < 100; i++)
            _quiet.Add(latency: 5_000);

        _quiet.Advance(Boundary);

        Assert.True(_quiet.IsAt(Boundary + 255));
        Assert.False(_quiet.IsAt(Boundary + 257));
    }

    [Fact]
    public void There_is_one_each_two_seconds_at_first_and_later_each_minute()
    {
        Assert.Equal([4_096, 6_144, 8_192, 65_536, 131_072], Moments(from: Boundary + 3_000, until: Boundary + 140_000));
        Assert.Equal([200_704, 202_752, 204_800], Moments(from: Boundary + 200_000, until: Boundary + 220_000)); // whenever that is
    }

    [Fact]
    public void When_the_next_one_is_is_known_before()
    {
        Assert.Equal(double.PositiveInfinity, _quiet.Next);
        Begin();
        Assert.Equal(Boundary - 28_672, _quiet.Next);

        _quiet.Advance(Boundary - 20_000); // nobody heard of those that were over meanwhile
        Assert.Equal(Boundary, _quiet.Next);
        Assert.False(_quiet.IsAt(Boundary - 20_000));
        _quiet.Advance(Boundary);
        Assert.Equal(Boundary + 65_536, _quiet.Next);
    }

    [Theory]
    [InlineData(20, 20)]
    [InlineData(5_000, 256)]
    public void What_would_be_answered_within_it_is_held_before_it(double latency, double hold)
    {
        for (var i = 0; i < 200; i++)
            _quiet.Add(latency);

        Assert.Equal(hold, _quiet.Hold, 0.5);
    }

    [Fact]
    public void Every_third_request_carries_a_few_keys()
    {
        Begin();
        _quiet.Advance(Boundary);

        List<int> keys = [];
        for (var i = 0; i < 7; i++)
        {
            keys.Add(_quiet.Keys);
            _quiet.Answered(Boundary, latency: 1);
        }

        Assert.Equal([1, 1, 8, 1, 1, 8, 1], keys);
        _quiet.Begin(Boundary + 1_000);
        Assert.Equal(1, _quiet.Keys);
    }

    [Theory]
    [InlineData(0, 1, 4)] // four times what the last one took
    [InlineData(0, 10, 7.5)] // a quarter of what is left of the moment
    [InlineData(26, 1, 27)]
    [InlineData(40, 1, 30)] // and no longer than it lasts
    public void The_next_one_waits_the_longer_the_longer_the_last_one_took(double answered, double latency, double until)
    {
        Begin();
        _quiet.Advance(Boundary);
        Assert.Equal(Boundary, _quiet.RestsUntil);

        _quiet.Answered(Boundary + answered, latency);

        Assert.Equal(Boundary + until, _quiet.RestsUntil);
    }

    [Fact]
    public void Each_happens_once()
    {
        Begin();
        _quiet.Advance(Boundary);

        _quiet.Add(latency: 1e6); // were it to be begun again, it would last longer
        for (var time = Boundary; time < Boundary + 60; time++)
            _quiet.Advance(time);

        Assert.False(_quiet.IsAt(Boundary + 31));
    }

    [Fact]
    public void A_lane_may_have_one_of_its_own()
    {
        _quiet.Begin(500);

        Assert.True(_quiet.IsAt(500));
        Assert.True(_quiet.IsAt(529));
        Assert.False(_quiet.IsAt(530));
    }

    [Fact]
    public void One_of_its_own_goes_on_where_one_by_the_clock_would_begin()
    {
        Begin();
        _quiet.Begin(Boundary - 10);

        _quiet.Advance(Boundary);

        Assert.True(_quiet.IsAt(Boundary + 19));
        Assert.False(_quiet.IsAt(Boundary + 20));
    }

    [Fact]
    public void What_one_key_takes_alone_is_the_least_of_the_last_two_moments_in_which_one_was_answered()
    {
        Assert.Equal(0, _quiet.OneKey);
        _quiet.AddOneKey(12); // before the first moment
        _quiet.AddOneKey(10);
        Assert.Equal(10, _quiet.OneKey);

        _quiet.Begin(1_000);
        Assert.Equal(10, _quiet.OneKey);
        _quiet.AddOneKey(150); // the store paused
        Assert.Equal(10, _quiet.OneKey);

        _quiet.Begin(2_000);
        _quiet.Begin(3_000); // nobody had anything to send
        Assert.Equal(150, _quiet.OneKey);
        _quiet.AddOneKey(40);
        Assert.Equal(40, _quiet.OneKey);

        _quiet.Forget();
        Assert.Equal(0, _quiet.OneKey);
    }

    [Fact]
    public void There_is_none_for_who_has_never_been_answered()
    {
        _quiet = new QuietMoment();
        Begin();

        _quiet.Advance(Boundary);

        Assert.False(_quiet.IsAt(Boundary));
    }

    // Long enough before the boundary for the first seconds to be over.
    private void Begin() => _quiet.Advance(Boundary - 30_000);

    private static List<double> Moments(double from, double until)
    {
        var (quiet, moments) = (new QuietMoment(), new List<double>());
        quiet.Add(latency: 20);
        for (var time = from; time < until; time++)
        {
            quiet.Advance(time);
            if (quiet.IsAt(time) && !quiet.IsAt(time - 1))
                moments.Add(time - Boundary);
        }

        return moments;
    }
}
