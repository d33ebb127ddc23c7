using FsCheck;
using FsCheck.Fluent;
using Stout.Lanes.Shell;

namespace Stout.Tests.Lanes;

public sealed class TimerQueueTests
{
    private const int Timers = 4;
    private const int Waits = 16;

    private readonly TimerQueue _queue = new();

    [Fact]
    public void The_next_one_is_the_earliest_that_is_set()
    {
        Assert.Null(_queue.Next);
        var (early, late) = (NewTimer(), NewTimer());
        _queue.Set(late, At(20));
        _queue.Set(early, At(10));
        Assert.Equal(At(10), _queue.Next);

        _queue.Cancel(early);
        Assert.Equal(At(20), _queue.Next);
    }

    [Fact]
    public void None_is_due_before_its_time()
    {
        var timer = NewTimer();
        _queue.Set(timer, At(10));
        Assert.False(_queue.TryTakeDue(At(9), out _));

        Assert.True(_queue.TryTakeDue(At(10), out var due));
        Assert.Same(timer, due);
        Assert.False(_queue.TryTakeDue(At(10), out _));
    }

    /// <summary>Compares the queue with a naive model: a table of timers and times that is searched in full each time.</summary>
    [Fact]
    public void Whatever_is_set_again_cancelled_or_taken_each_alarm_rings_once_for_the_last_time_it_was_set_for()
        => Prop.ForAll(Gen.Choose(0, (Timers * Waits * 2) - 1).ArrayOf().ToArbitrary(), steps =>
        {
            var queue = new TimerQueue();
            var timers = Enumerable.Range(0, Timers).Select(_ => NewTimer()).ToArray();
            var model = new Dictionary<QueuedTimer, TimeSpan>();
            for (var now = 0; now < steps.Length; now++)
            {
                var (timer, wait, cancels) = (timers[steps[now] % Timers], steps[now] / Timers % Waits, steps[now] / Timers / Waits == 0);
                if (cancels)
                {
                    queue.Cancel(timer);
                    model.Remove(timer);
                }
                else
                {
                    queue.Set(timer, model[timer] = At(now + wait));
                }

                Assert.Equal(model.Count == 0 ? null : model.Values.Min(), queue.Next);
                while (queue.TryTakeDue(At(now), out var taken))
                {
                    Assert.Equal(model.Values.Min(), model[taken]);
                    Assert.True(model.Remove(taken, out var due) && due <= At(now));
                }

                Assert.DoesNotContain(model.Values, due => due <= At(now));
            }
        }).QuickCheckThrowOnFailure();

    private static QueuedTimer NewTimer() => new(() => { });

    private static TimeSpan At(int milliseconds) => TimeSpan.FromMilliseconds(milliseconds);
}
