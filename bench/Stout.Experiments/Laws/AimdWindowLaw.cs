using Stout.Pacing;

namespace Stout.Experiments.Laws;

/// <summary>
/// The AIMD limiter of Netflix's concurrency-limits, with its back-off ratio. The window of requests in flight grows by one per window of answers. The window
/// shrinks by a tenth when the store refuses a request, or when an answer takes longer than 100 ms.
/// </summary>
internal sealed class AimdWindowLaw : IPacingLaw
{
    private const double BackOffRatio = 0.9;
    private const double MostInFlight = 200;
    private static readonly TimeSpan SlowAnswer = TimeSpan.FromMilliseconds(100);

    private double _window = 1;

    public TimeSpan Interval => TimeSpan.Zero;

    public int MaxInFlight => (int)_window;

    public int MaxBatchKeys => int.MaxValue;

    public void BatchSent(in BatchDeparture departure)
    {
    }

    public void RequestAnswered(in StoreRequest request)
    {
        if (request.Outcome != StoreRequestOutcome.Answered || request.Latency > SlowAnswer)
            _window = Math.Max(1, _window * BackOffRatio);
        else if (!request.ApplicationLimited)
            _window = Math.Min(MostInFlight, _window + (1 / _window));
    }
}
