using Stout.Pacing;

namespace Stout.Experiments.Laws;

/// <summary>
/// The rule of the bulk mode of Azure Cosmos DB's .NET SDK. Batches of at most 100 operations leave at the ticks of a free-running timer of 100 ms.
/// Each second the bound on requests in flight grows if the store refused no request, and otherwise falls.
/// </summary>
/// <remarks>A lane that was idle sends at once here, where the SDK's operation waits for the tick. So the latency here is lower than with the SDK.</remarks>
internal sealed class CosmosBulkLaw : IPacingLaw
{
    private const int MostOperations = 100;
    private const int MostInFlight = 50;
    private const int LargestDecrease = 5;
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    private int _inFlight = 1;
    private bool _refused;
    private TimeSpan _periodEnds = Period;

    public TimeSpan Interval { get; private set; } = Tick;

    public int MaxInFlight => _inFlight;

    public int MaxBatchKeys => MostOperations;

    public void BatchSent(in BatchDeparture departure) => Interval = Tick - TimeSpan.FromTicks(departure.At.Ticks % Tick.Ticks);

    public void RequestAnswered(in StoreRequest request)
    {
        _refused |= request.Outcome == StoreRequestOutcome.Overloaded;
        if (request.AnsweredAt < _periodEnds)
            return;
        _inFlight = _refused ? Math.Max(1, _inFlight - Math.Min(LargestDecrease, _inFlight / 2)) : Math.Min(MostInFlight, _inFlight + 1);
        _refused = false;
        _periodEnds = request.AnsweredAt + Period;
    }
}
