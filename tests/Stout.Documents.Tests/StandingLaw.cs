using Stout.Pacing;

namespace Stout.Documents.Tests;

/// <summary>A law that sends every change at once. A test may stop the lane in its call of <see cref="BatchSent"/>.</summary>
internal sealed class StandingLaw : IPacingLaw
{
    private Barrier? _barrier;

    public TimeSpan Interval => TimeSpan.Zero;

    public int MaxInFlight => 8;

    public int MaxBatchKeys => 100;

    public bool PacesReads => false;

    /// <summary>Makes the lane wait at the barrier once, when it reports the next batch as sent. The batch has not reached the store yet.</summary>
    public void StandAtNextBatch(Barrier barrier) => _barrier = barrier;

    public void BatchSent(in BatchDeparture departure) => Interlocked.Exchange(ref _barrier, null)?.Pass();

    public void RequestAnswered(in StoreRequest request)
    {
    }
}
