using FsCheck;
using FsCheck.Fluent;
using Stout.Experiments.Model;

namespace Stout.Experiments.Tests.Model;

public sealed class EventQueueTests
{
    [Fact]
    public void Events_happen_in_the_order_of_time_and_those_of_one_moment_in_the_order_of_scheduling() => Prop.ForAll<byte[]>(static times =>
    {
        var queue = new EventQueue();
        var log = new List<(long At, int Number)>();
        for (var i = 0; i < times.Length; i++)
            queue.Schedule(TimeSpan.FromTicks(times[i]), new Note(i, log));
        queue.RunUntil(TimeSpan.FromTicks(255));
        return log.SequenceEqual(times.Select((at, i) => ((long)at, i)).Order());
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void An_event_may_schedule_others_and_one_of_the_past_happens_now()
    {
        var queue = new EventQueue();
        var log = new List<(long At, int Number)>();
        queue.Schedule(TimeSpan.FromTicks(10), new Then(() => queue.Schedule(TimeSpan.FromTicks(3), new Note(1, log))));
        queue.Schedule(TimeSpan.FromTicks(12), new Note(2, log));
        queue.RunUntil(TimeSpan.FromTicks(11), TestContext.Current.CancellationToken);
        Assert.Equal([(10, 1)], log);
        Assert.Equal(11, queue.Now.Ticks);
    }

    [Fact]
    public void A_cancelled_run_stops()
    {
        var queue = new EventQueue();
        using var cancelled = new CancellationTokenSource();
        cancelled.Cancel();
        Then? again = null;
        again = new Then(() => queue.Schedule(queue.Now + TimeSpan.FromTicks(1), again!));
        queue.Schedule(TimeSpan.Zero, again);
        Assert.Throws<OperationCanceledException>(() => queue.RunUntil(TimeSpan.FromDays(1), cancelled.Token));
    }

    private sealed class Note(int number, List<(long At, int Number)> log) : IModelEvent
    {
        public void Happen(TimeSpan now) => log.Add((now.Ticks, number));
    }

    private sealed class Then(Action action) : IModelEvent
    {
        public void Happen(TimeSpan now) => action();
    }
}
