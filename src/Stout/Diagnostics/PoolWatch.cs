using Stout.Lanes.Shell;

namespace Stout.Diagnostics;

/// <summary>
/// Finds a thread pool whose threads are all blocked: lanes, answers and callbacks wait in its queue then. Each second, a timer that needs no thread of the
/// pool queues a probe. Two further seconds without that probe's run are reported.
/// </summary>
/// <remarks>
/// The wait is counted in firings of the timer, not read from a clock. After a pause of the whole process, the timer fires once, and the probe runs before
/// the next firing.
/// </remarks>
internal sealed class PoolWatch : IThreadPoolWorkItem, IDisposable
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    // A loaded machine rarely delays queued work by this much, and a caller notices it.
    private const int LongestWait = 2;

    private readonly Action<IThreadPoolWorkItem> _queue;
    private readonly Action<int> _report;
    private readonly ITimer _timer;
    private readonly ReportPacer _pacer;
    private volatile bool _isQueued;
    private int _waited;

    /// <param name="time">The clock of the timer. The system's timers fire on a thread of their own.</param>
    /// <param name="queue">Queues a work item to the pool.</param>
    /// <param name="report">Gets the seconds that the probe has waited so far. Must be quick, since all lanes' timers wait for it.</param>
    public PoolWatch(TimeProvider time, Action<IThreadPoolWorkItem> queue, Action<int> report)
    {
        _queue = queue;
        _report = report;
        _pacer = new ReportPacer(time);
        _timer = PunctualTime.InPlaceOf(time).CreateTimer(
            static watch => ((PoolWatch)watch!).Look(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _timer.Change(Period, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Watches the process's pool. The report gets a thread of its own, since a logger may block.</summary>
    /// <returns>Null with a simulated clock, whose seconds say nothing about the pool.</returns>
    public static PoolWatch? OfProcess(TimeProvider time, Action<int> report) => time != TimeProvider.System
        ? null
        : new PoolWatch(
            time,
            static probe => ThreadPool.UnsafeQueueUserWorkItem(probe, preferLocal: false),
            seconds => OnOwnThread(() => report(seconds)));

    public void Dispose() => _timer.Dispose();

    void IThreadPoolWorkItem.Execute() => _isQueued = false;

    private static void OnOwnThread(ThreadStart report)
    {
        try
        {
            new Thread(report) { IsBackground = true, Name = "Stout pool report" }.UnsafeStart();
        }
        catch (OutOfMemoryException)
        {
            // The system gives no further thread. The timers' thread must not end for that.
        }
    }

    private void Look()
    {
        if (!_isQueued)
        {
            _waited = 0;
            _isQueued = true;
            _queue(this);
        }
        else if (++_waited >= LongestWait && _pacer.Note() > 0)
        {
            _report(_waited);
        }

        _timer.Change(Period, Timeout.InfiniteTimeSpan);
    }
}
