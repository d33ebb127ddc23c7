using Stout.Lanes.Shell;

namespace Stout.Tests.Lanes;

public sealed class LaneClockTests
{
    [Fact]
    public void Timer_that_has_fired_before_its_time_is_set_again()
    {
        var time = new HandWoundTime();
        using var clock = new LaneClock(time, () => { });
        clock.WakeAt(TimeSpan.FromMilliseconds(50));
        time.Elapsed = TimeSpan.FromMilliseconds(48);
        clock.HasFired();
        clock.WakeAt(TimeSpan.FromMilliseconds(50));
        Assert.Equal([TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(2)], time.Settings);
    }

    [Fact]
    public void Timer_that_fires_early_enough_is_left_as_it_is()
    {
        var time = new HandWoundTime();
        using var clock = new LaneClock(time, () => { });
        clock.WakeAt(TimeSpan.FromMilliseconds(50));
        clock.WakeAt(TimeSpan.FromMilliseconds(50));
        clock.WakeAt(TimeSpan.FromMilliseconds(70));
        Assert.Single(time.Settings);
    }

    [Fact]
    public void Timer_whose_time_has_come_is_set_again_whether_it_has_fired_or_not()
    {
        var time = new HandWoundTime();
        using var clock = new LaneClock(time, () => { });
        clock.WakeAt(TimeSpan.FromMilliseconds(50));
        time.Elapsed = TimeSpan.FromMilliseconds(50);
        clock.WakeAt(TimeSpan.FromMilliseconds(70));
        Assert.Equal([TimeSpan.FromMilliseconds(50), TimeSpan.FromMilliseconds(20)], time.Settings);
    }

    [Fact]
    public void It_begins_at_zero_and_goes_on_evenly_whatever_the_systems_clock_is_set_to()
    {
        var time = new HandWoundTime { SystemTime = DateTimeOffset.UnixEpoch + TimeSpan.FromDays(20_000), Elapsed = TimeSpan.FromHours(1) };
        using var clock = new LaneClock(time, () => { });
        Assert.Equal(TimeSpan.Zero, clock.Now);

        time.SystemTime += TimeSpan.FromHours(5);
        time.Elapsed += TimeSpan.FromSeconds(2);
        Assert.Equal(TimeSpan.FromSeconds(2), clock.Now);
    }

    [Fact]
    public void The_systems_alarms_ring_a_millisecond_late_and_those_of_any_other_time_are_thought_to_be_exact()
    {
        Assert.Equal(TimeSpan.FromMilliseconds(1), LaneClock.StepOf(TimeProvider.System));
        Assert.Equal(TimeSpan.Zero, LaneClock.StepOf(new HandWoundTime()));
    }

    private sealed class HandWoundTime : TimeProvider
    {
        public TimeSpan Elapsed { get; set; }

        public List<TimeSpan> Settings { get; } = [];

        public DateTimeOffset SystemTime { get; set; } = DateTimeOffset.UnixEpoch;

        public override DateTimeOffset GetUtcNow() => SystemTime;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Elapsed.Ticks;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => new Timer(this);

        private sealed class Timer(HandWoundTime time) : ITimer
        {
            public bool Change(TimeSpan dueTime, TimeSpan period)
            {
                time.Settings.Add(dueTime);
                return true;
            }

            public void Dispose()
            {
            }

            public ValueTask DisposeAsync() => ValueTask.CompletedTask;
        }
    }
}
