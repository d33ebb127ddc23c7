using FsCheck;
using FsCheck.Fluent;
using Stout.Lanes;

namespace Stout.Tests.Lanes;

public sealed class AlarmQueueTests
{
    private const int Alarms = 4;
    private const int Waits = 16;

    private readonly AlarmQueue _queue = new();

    [Fact]
    public void The_next_one_is_the_earliest_that_is_set()
    {
        Assert.Null(_queue.Next);
        var (early, late) = (NewAlarm(), NewAlarm());
        _queue.Set(late, At(20));
        _queue.Set(early, At(10));
        Assert.Equal(At(10), _queue.Next);

        _queue.Cancel(early);
        Assert.Equal(At(20), _queue.Next);
    }

    [Fact]
    public void None_is_due_before_its_time()
    {
        var alarm = NewAlarm();
        _queue.Set(alarm, At(10));
        Assert.False(_queue.TryTakeDue(At(9), out _));

        Assert.True(_queue.TryTakeDue(At(10), out var due));
        Assert.Same(alarm, due);
        Assert.False(_queue.TryTakeDue(At(10), out _));
    }

    /// <summary>Beside a naive model: a table of alarms and times, all of which is looked through each time.</summary>
    [Fact]
    public void Whatever_is_set_again_cancelled_or_taken_each_alarm_rings_once_for_the_last_time_it_was_set_for()
        => Prop.ForAll(Gen.Choose(0, (Alarms * Waits * 2) - 1).ArrayOf().ToArbitrary(), steps =>
        {
            var queue = new AlarmQueue();
            var alarms = Enumerable.Range(0, Alarms).Select(_ => NewAlarm()).ToArray();
            var model = new Dictionary<Alarm, TimeSpan>();
            for (var now = 0; now < steps.Length; now++)
            {
                var (alarm, wait, cancels) = (alarms[steps[now] % Alarms], steps[now] / Alarms % Waits, steps[now] / Alarms / Waits == 0);
                if (cancels)
                {
                    queue.Cancel(alarm);
                    model.Remove(alarm);
                }
                else
                {
                    queue.Set(alarm, model[alarm] = At(now + wait));
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

    private static Alarm NewAlarm() => new(() => { });

    private static TimeSpan At(int milliseconds) => TimeSpan.FromMilliseconds(milliseconds);
}
