using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>When lanes try what the store takes if all send back to back, and what they conclude.</summary>
public sealed class CriticalIntervalTests
{
    // Where trials of every length may begin.
    private const double Boundary = 1024 * 16_384;

    private readonly CriticalInterval _critical = new();

    [Fact]
    public void Before_a_trial_any_interval_may_be_of_use()
    {
        Assert.Equal(double.PositiveInfinity, _critical.Value);
        Assert.Equal(double.PositiveInfinity, _critical.LongestInterval);
        Assert.False(_critical.IsTriedAt(0));
        Assert.False(_critical.Disturbed(0));
    }

    [Theory]
    [InlineData(10, 64)]
    [InlineData(1, 8)]
    [InlineData(300, 2048)]
    public void A_trial_takes_some_six_intervals_from_its_boundary(double interval, double length)
    {
        Advance(Boundary, interval);

        Assert.True(_critical.IsTriedAt(Boundary));
        Assert.True(_critical.IsTriedAt(Boundary + length - 0.1));
        Assert.False(_critical.IsTriedAt(Boundary + length));
    }

    [Theory]
    [InlineData(31, true)]
    [InlineData(33, false)]
    public void Who_comes_late_takes_part_as_long_as_half_of_it_is_left(double late, bool part)
    {
        Advance(Boundary + late, interval: 10);

        Assert.Equal(part, _critical.IsTriedAt(Boundary + late));
        Assert.False(_critical.IsTriedAt(Boundary + 64));
    }

    [Fact]
    public void Lanes_with_unlike_intervals_begin_together()
    {
        for (var interval = 0.6; interval < 400; interval *= 1.1)
        {
            var critical = new CriticalInterval();
            critical.Advance(Boundary, interval, mayTry: true);
            Assert.True(critical.IsTriedAt(Boundary));
        }
    }

    [Fact]
    public void Who_may_not_does_not()
    {
        _critical.Advance(Boundary, interval: 10, mayTry: false);

        Assert.False(_critical.IsTriedAt(Boundary));
    }

    [Theory]
    [InlineData(14.9, false)]
    [InlineData(15, true)]
    public void Who_sends_back_to_back_anyhow_needs_none(double interval, bool tries)
    {
        _critical.Add(sentAt: 0, latency: 10);

        Advance(Boundary, interval);

        Assert.Equal(tries, _critical.IsTriedAt(Boundary));
    }

    [Fact]
    public void What_requests_of_the_second_half_take_in_the_median_is_the_critical_interval()
    {
        Advance(Boundary, interval: 10);
        Add((1, 100), (31, 100), (32, 20), (40, 22), (60, 500), (64, 100), (70, 100));
        Advance(Boundary + 64, interval: 10);

        Assert.Equal(22, _critical.Value);
    }

    [Fact]
    public void One_answer_says_nothing()
    {
        Advance(Boundary, interval: 10);
        Add((40, 20));
        Advance(Boundary + 64, interval: 10);

        Assert.Equal(double.PositiveInfinity, _critical.Value);
    }

    [Fact]
    public void No_interval_is_of_use_that_is_longer_than_one_and_three_quarters_of_it_or_than_the_latency()
    {
        Try(Boundary, 20);
        Assert.Equal(35, _critical.LongestInterval);

        _critical.Add(Boundary + 2048, 34);
        Assert.Equal(35, _critical.LongestInterval);

        for (var i = 0; i < 5; i++)
            _critical.Add(Boundary + 2048, 36);
        Assert.Equal(36, _critical.LongestInterval);
    }

    [Fact]
    public void The_highest_of_three_trials_counts()
    {
        foreach (var (trial, latency, highest) in new[] { (0, 20, 20), (1, 30, 30), (2, 10, 30), (3, 12, 30), (4, 11, 12) })
        {
            Try(Boundary + (trial * 16_384), latency);
            Assert.Equal(highest, _critical.Value);
        }
    }

    [Fact]
    public void Two_trials_follow_soon_and_the_others_by_and_by()
    {
        Try(Boundary, 20);
        Assert.True(BeginsAt(Boundary + 2048));
        Add((2048 + 40, 20), (2048 + 41, 20), (2048 + 42, 20));
        Assert.False(BeginsAt(Boundary + 4096));
        Assert.False(BeginsAt(Boundary + 8192));
        Assert.True(BeginsAt(Boundary + 16_384));
    }

    [Fact]
    public void They_are_no_more_than_a_256th_of_the_time()
    {
        Try(Boundary, 20);
        Try(Boundary + 16_384, 20);

        Assert.False(BeginsAt(Boundary + (2 * 16_384), interval: 100)); // 512 ms long
        Assert.True(BeginsAt(Boundary + (8 * 16_384), interval: 100));
    }

    [Fact]
    public void What_met_the_queue_of_a_trial_was_disturbed_by_it()
    {
        Advance(Boundary, interval: 10);
        Assert.False(_critical.Disturbed(Boundary - 0.1));
        Assert.True(_critical.Disturbed(Boundary));
        Assert.True(_critical.Disturbed(Boundary + 127)); // how long the queue is, nobody knows yet
        Assert.False(_critical.Disturbed(Boundary + 128));

        Add((40, 20), (41, 20), (42, 20));
        Advance(Boundary + 64, interval: 10);
        Assert.True(_critical.Disturbed(Boundary + 83));
        Assert.False(_critical.Disturbed(Boundary + 84));
    }

    [Fact]
    public void However_long_requests_took_no_longer_than_the_trial_was()
    {
        Try(Boundary, latency: 5_000); // the store stood still

        Assert.True(_critical.Disturbed(Boundary + 127));
        Assert.False(_critical.Disturbed(Boundary + 128));
    }

    [Fact]
    public void It_forgets_on_demand()
    {
        Try(Boundary, 20);
        Try(Boundary + 2048, 20);
        _critical.Add(Boundary + 3000, 50);
        _critical.Forget();

        Assert.Equal(double.PositiveInfinity, _critical.LongestInterval);
        Assert.True(BeginsAt(Boundary + 4096)); // as soon as the first, though requests took 50

        _critical.Forget();
        Assert.False(_critical.IsTriedAt(Boundary + 4096));
    }

    private void Try(double at, double latency)
    {
        Advance(at, interval: 10);
        for (var after = 40; after < 43; after++)
            _critical.Add(at + after, latency);
        Advance(at + 64, interval: 10);
    }

    private bool BeginsAt(double time, double interval = 10)
    {
        Advance(time, interval);
        return _critical.IsTriedAt(time);
    }

    private void Advance(double now, double interval) => _critical.Advance(now, interval, mayTry: true);

    private void Add(params (double SentAfter, double Latency)[] answers)
    {
        foreach (var (sentAfter, latency) in answers)
            _critical.Add(Boundary + sentAfter, latency);
    }
}
