using Microsoft.Extensions.Time.Testing;
using Stout.Lanes.Shell;

namespace Stout.Tests.Lanes;

public sealed class PunctualTimeTests
{
    private static readonly TimeProvider Time = PunctualTime.InPlaceOf(TimeProvider.System);

    [Fact]
    public void It_takes_the_place_of_the_systems_time_and_of_no_other()
    {
        var other = new FakeTimeProvider();

        Assert.NotSame(TimeProvider.System, Time);
        Assert.Same(other, PunctualTime.InPlaceOf(other));
        Assert.Same(Time, PunctualTime.InPlaceOf(Time));
    }

    [Fact]
    public async Task A_timer_rings_once_each_time_it_is_set_and_not_before_its_time()
    {
        var fires = new SemaphoreSlim(0);
        var wait = TimeSpan.FromMilliseconds(3);
        using var timer = NewTimer(() => fires.Release());
        for (var i = 0; i < 5; i++)
        {
            var start = Time.GetTimestamp();
            Assert.True(timer.Change(wait, Timeout.InfiniteTimeSpan));
            await fires.WaitAsync(TestContext.Current.CancellationToken);
            Assert.True(Time.GetElapsedTime(start) >= wait);
        }

        Assert.Equal(0, fires.CurrentCount);
    }

    [Fact]
    public async Task An_alarm_that_is_set_for_earlier_than_all_others_does_not_wait_for_them()
    {
        var fires = new SemaphoreSlim(0);
        using var late = NewTimer(() => throw new InvalidOperationException("Nobody waits an hour."));
        late.Change(TimeSpan.FromHours(1), Timeout.InfiniteTimeSpan);
        using var early = NewTimer(() => fires.Release());

        early.Change(TimeSpan.FromMilliseconds(2), Timeout.InfiniteTimeSpan);

        await fires.WaitAsync(TestContext.Current.CancellationToken);
    }

    [Fact]
    public async Task A_timer_that_is_stopped_or_disposed_does_not_fire()
    {
        var fires = new SemaphoreSlim(0);
        using var stopped = NewTimer(() => throw new InvalidOperationException("It was stopped."));
        var disposed = NewTimer(() => throw new InvalidOperationException("It is gone."));
        using var other = NewTimer(() => fires.Release());
        stopped.Change(TimeSpan.FromMilliseconds(20), Timeout.InfiniteTimeSpan);
        disposed.Change(TimeSpan.FromMilliseconds(20), Timeout.InfiniteTimeSpan);
        stopped.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        disposed.Dispose();
        disposed.Dispose();

        other.Change(TimeSpan.FromMilliseconds(30), Timeout.InfiniteTimeSpan);
        await fires.WaitAsync(TestContext.Current.CancellationToken);

        Assert.False(disposed.Change(TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan));
    }

    [Fact]
    public async Task The_thread_ends_with_the_last_alarm_and_begins_again_with_the_next()
    {
        var thread = new TimerThread();
        for (var i = 0; i < 3; i++)
        {
            var fires = new SemaphoreSlim(0);
            var timer = new QueuedTimer(() => fires.Release());
            thread.Add(timer);
            Assert.True(thread.TrySet(timer, TimeSpan.FromMilliseconds(1)));
            await fires.WaitAsync(TestContext.Current.CancellationToken);
            Assert.True(thread.IsRunning);

            thread.Remove(timer);

            while (thread.IsRunning)
                await Task.Yield();
        }
    }

    [Fact]
    public void A_timer_that_is_to_ring_again_and_again_is_not_to_be_had() => Assert.Throws<NotSupportedException>(
        () => Time.CreateTimer(_ => { }, null, TimeSpan.FromMilliseconds(1), TimeSpan.FromMilliseconds(1)));

    private static ITimer NewTimer(Action fire) => Time.CreateTimer(_ => fire(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
}
