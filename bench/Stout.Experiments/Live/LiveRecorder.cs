using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Live;

/// <summary>Records the requests and replies of a run in real time. Many threads call it.</summary>
internal sealed class LiveRecorder
{
    // The share of missing replies that means overload: more than chance explains among a few thousand requests.
    private const double LeastMissing = 0.03;

    private static readonly TimeSpan LongestDrain = TimeSpan.FromMinutes(2);
    private static readonly TimeSpan DrainStep = TimeSpan.FromMilliseconds(5);

    private readonly Lock _lock = new();
    private readonly RunRecorder _run;
    private readonly TimeProvider _time;
    private readonly long _start;
    private readonly TimeSpan _end;
    private readonly int _mostWaiting;
    private long _waiting;
    private bool _over;
    private StoutException? _failure;

    public LiveRecorder(Scenario scenario, TimeProvider time)
    {
        _run = new RunRecorder(new RunFigures(scenario, LeastMissing));
        _time = time;
        _start = time.GetTimestamp();
        _end = scenario.Duration;
        _mostWaiting = scenario.MostWaiting ?? int.MaxValue;
    }

    /// <summary>The time since the run began.</summary>
    public TimeSpan Now => _time.GetElapsedTime(_start);

    /// <summary>Requests that wait for their replies.</summary>
    public long Waiting
    {
        get
        {
            lock (_lock)
                return _waiting;
        }
    }

    /// <summary>Records that a client is about to send a request.</summary>
    /// <returns>Whether the client may send the request: not if too many requests wait already.</returns>
    public bool TryAsk(TimeSpan startedAt)
    {
        lock (_lock)
        {
            if (_waiting >= _mostWaiting)
                return false;
            _waiting++;
            _run.Asked(startedAt);
            return true;
        }
    }

    /// <summary>Records that a reply leaves.</summary>
    public void Answered(in ClientRequest request, StoutException? failure)
    {
        var now = Now;
        lock (_lock)
        {
            _waiting--;
            _failure ??= failure;
            if (!_over && now <= _end)
                _run.Answered(request, now);
        }
    }

    public void Sample(double meanInterval)
    {
        lock (_lock)
            _run.Sample(meanInterval);
    }

    public void BeginMeasuring(TimeSpan now)
    {
        lock (_lock)
            _run.BeginMeasuring(now);
    }

    /// <summary>Ends the run. Later replies do not count; <see cref="DrainAsync"/> waits for them.</summary>
    public RunFigures End(TimeSpan now, in StoreTraffic measured)
    {
        lock (_lock)
        {
            _over = true;
            _run.Sent(measured);
            return _run.End(now);
        }
    }

    /// <summary>Waits until every reply has left.</summary>
    /// <exception cref="ExperimentException">Replies are still missing after two minutes, or a request has failed.</exception>
    public async Task DrainAsync(CancellationToken cancellationToken)
    {
        for (var start = _time.GetTimestamp(); Waiting > 0; await Task.Delay(DrainStep, _time, cancellationToken))
        {
            if (_time.GetElapsedTime(start) > LongestDrain)
                throw new ExperimentException($"{Waiting} requests still wait {LongestDrain.TotalMinutes} minutes after the last one was sent.");
        }

        if (_failure is { } failure)
            throw new ExperimentException($"A write has failed: {failure.Message}", failure);
    }
}
