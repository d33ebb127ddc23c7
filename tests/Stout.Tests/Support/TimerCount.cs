namespace Stout.Tests.Support;

/// <summary>Counts timers that have not been disposed.</summary>
internal sealed class TimerCount : TimeProvider
{
    private int _running;

    public int Running => Volatile.Read(ref _running);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        Interlocked.Increment(ref _running);
        return new Timer(this, base.CreateTimer(callback, state, dueTime, period));
    }

    private sealed class Timer(TimerCount count, ITimer timer) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => timer.Change(dueTime, period);

        public void Dispose()
        {
            Interlocked.Decrement(ref count._running);
            timer.Dispose();
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
