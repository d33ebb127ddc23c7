namespace Stout.Experiments.Model;

/// <summary>
/// The clock of a simulation, which shows virtual time, and the scheduled events. Events of the same time happen in the order in which they were scheduled.
/// </summary>
internal sealed class EventQueue
{
    private const int EventsBetweenLooksAtTheToken = 4096;

    private readonly PriorityQueue<IModelEvent, (long At, long Order)> _events = new(1024);
    private long _scheduled;

    public TimeSpan Now { get; private set; }

    /// <summary>Events that have happened.</summary>
    public long Happened { get; private set; }

    /// <summary>Schedules an event. An event whose time is past happens now.</summary>
    public void Schedule(TimeSpan at, IModelEvent happening) =>
        _events.Enqueue(happening, (Math.Max(at.Ticks, Now.Ticks), _scheduled++));

    /// <summary>Advances time to <paramref name="end"/>, and runs the events until then.</summary>
    public void RunUntil(TimeSpan end, CancellationToken cancellationToken = default)
    {
        while (_events.TryPeek(out var happening, out var place) && place.At <= end.Ticks)
        {
            if (++Happened % EventsBetweenLooksAtTheToken == 0)
                cancellationToken.ThrowIfCancellationRequested();
            _events.Dequeue();
            Now = new TimeSpan(place.At);
            happening.Happen(Now);
        }

        Now = end;
    }
}
