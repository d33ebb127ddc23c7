using Microsoft.Extensions.Time.Testing;

namespace Stout.Documents.Tests.Expiry;

/// <summary>The clock of the sweeps: a jump ahead counts only if it lasts from one sweep to the next.</summary>
public sealed class SweepClockTests
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);

    private readonly FakeTimeProvider _time = new(Expiring.Start);
    private readonly WallClock _wall;
    private readonly SweepClock _clock;

    public SweepClockTests()
    {
        _wall = new WallClock(_time);
        _clock = new SweepClock(_wall);
    }

    [Fact]
    public void Clock_that_runs_evenly_is_the_wall_clock()
    {
        for (var hour = 1; hour < 10; hour++)
        {
            _time.Advance(Hour);
            Assert.Equal(_wall.GetUtcNow(), _clock.Next());
        }
    }

    [Fact]
    public void Jump_ahead_counts_from_the_second_sweep_on()
    {
        _time.Advance(Hour);
        _wall.Offset = TimeSpan.FromDays(100);
        Assert.Equal(_time.GetUtcNow(), _clock.Next());
        _time.Advance(Hour);
        Assert.Equal(_wall.GetUtcNow(), _clock.Next());
    }

    [Fact]
    public void Jump_back_counts_at_once()
    {
        _time.Advance(Hour);
        _wall.Offset = -10 * Hour;
        Assert.Equal(_wall.GetUtcNow(), _clock.Next());
    }

    /// <summary>The naive model: a sweep's time is the true time plus the lesser of the wall clock's offsets at this and the previous sweep.</summary>
    [Fact]
    public void Time_of_a_sweep_is_never_ahead_of_a_clock_that_two_sweeps_have_seen()
    {
        for (var seed = 0; seed < 200; seed++)
        {
            var random = new Random(seed);
            var (time, before) = (new FakeTimeProvider(Expiring.Start), TimeSpan.Zero);
            var wall = new WallClock(time);
            var clock = new SweepClock(wall);
            for (var sweep = 0; sweep < 50; sweep++)
            {
                time.Advance(TimeSpan.FromSeconds(random.Next(1, 10_000)));
                if (random.Next(2) == 0)
                    wall.Offset = TimeSpan.FromSeconds(random.Next(-100_000, 100_000));
                var now = wall.Offset;
                Assert.Equal(time.GetUtcNow() + (now < before ? now : before), clock.Next());
                before = now;
            }
        }
    }
}
