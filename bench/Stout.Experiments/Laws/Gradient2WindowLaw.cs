using Stout.Pacing;

namespace Stout.Experiments.Laws;

/// <summary>
/// The Gradient2 limiter of Netflix's concurrency-limits: the window of requests in flight follows the ratio of the long-term mean latency to the present one.
/// The settings are Gradient2's defaults, except for the least window. The least window is 1 request here, since a request is a whole batch.
/// </summary>
internal sealed class Gradient2WindowLaw : IPacingLaw
{
    private const double Tolerance = 1.5;
    private const double Smoothing = 0.2;
    private const double QueueSize = 4;
    private const double MostInFlight = 200;
    private const int LongWindow = 600;
    private const int LongWarmup = 10;

    private double _window = 20;
    private double _long;
    private int _samples;

    public TimeSpan Interval => TimeSpan.Zero;

    public int MaxInFlight => (int)_window;

    public int MaxBatchKeys => int.MaxValue;

    public void BatchSent(in BatchDeparture departure)
    {
    }

    public void RequestAnswered(in StoreRequest request)
    {
        if (request.Outcome == StoreRequestOutcome.Unreachable)
            return;
        var now = Math.Max(request.Latency.TotalMilliseconds, 1e-4);
        // The first 10 samples make a plain mean, as in Gradient2.
        _samples++;
        _long += (now - _long) / (_samples <= LongWarmup ? _samples : (LongWindow + 1) / 2.0);
        if (_long / now > 2)
            _long *= 0.95;
        if (request.ApplicationLimited)
            return;
        var gradient = request.Outcome == StoreRequestOutcome.Answered ? Math.Clamp(Tolerance * _long / now, 0.5, 1) : 0.5;
        var next = (_window * gradient) + QueueSize;
        _window = Math.Clamp((_window * (1 - Smoothing)) + (next * Smoothing), 1, MostInFlight);
    }
}
