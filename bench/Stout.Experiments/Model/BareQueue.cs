using Stout.Experiments.Measuring;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Model;

/// <summary>Clients that send each request straight to one store partition: the model without Stout. <c>Happen</c> is the arrival of a request.</summary>
internal sealed class BareQueue(IStoreModel store, PoissonArrivals arrivals) : IModelEvent
{
    private readonly EventQueue _events = new();
    private readonly TimedCount _inSystem = new();
    private readonly Stack<Leaving> _spare = new();
    private double _ticks;
    private long _answered;

    /// <summary>Runs until <paramref name="requests"/> requests were answered.</summary>
    public QueueFigures Run(int requests, double meanServiceMs, CancellationToken cancellationToken)
    {
        _events.Schedule(arrivals.Next(), this);
        // Runs in steps of one second of virtual time, since the time of the last answer is not known beforehand.
        while (_answered < requests)
            _events.RunUntil(_events.Now + TimeSpan.FromSeconds(1), cancellationToken);
        var perTick = _answered / (double)_events.Now.Ticks;
        var meanTicks = _ticks / _answered;
        return new QueueFigures((meanTicks / TimeSpan.TicksPerMillisecond) - meanServiceMs, _inSystem.Mean(_events.Now) / (perTick * meanTicks));
    }

    public void Happen(TimeSpan now)
    {
        _inSystem.Change(1, now);
        if (!_spare.TryPop(out var leaving))
            leaving = new Leaving(this);
        leaving.ArrivedAt = now;
        _events.Schedule(store.Take(now, 1, 0).At, leaving);
        _events.Schedule(arrivals.Next(), this);
    }

    private sealed class Leaving(BareQueue queue) : IModelEvent
    {
        public TimeSpan ArrivedAt { get; set; }

        public void Happen(TimeSpan now)
        {
            queue._inSystem.Change(-1, now);
            queue._ticks += (now - ArrivedAt).Ticks;
            queue._answered++;
            queue._spare.Push(this);
        }
    }
}

/// <summary>The measurements of a queue without Stout.</summary>
/// <param name="MeanWaitMs">Mean wait before service.</param>
/// <param name="LittleRatio">Mean number in the system over rate × mean time in it: 1 by Little's law.</param>
internal readonly record struct QueueFigures(double MeanWaitMs, double LittleRatio);
