using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>When all lanes let the store run empty.</summary>
public sealed class QuietMomentTests
{
    // By the clock: some multiple of the period, and what a trial before it may take.
    private const double Boundary = (1_000 * 65_536) + 1_024;

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
    public void There_is_one_each_four_seconds_at_first_and_later_each_minute()
    {
        Assert.Equal([4_096, 8_192, 65_536, 131_072], Moments(from: Boundary + 3_000, until: Boundary + 140_000));
        Assert.Equal([200_704, 204_800], Moments(from: Boundary + 200_000, until: Boundary + 220_000)); // whenever that is
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
