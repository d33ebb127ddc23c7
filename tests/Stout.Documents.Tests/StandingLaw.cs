using Stout.Pacing;

namespace Stout.Documents.Tests;

/// <summary>Sends every change at once. A test may stop the lane where the lane reports a batch.</summary>
internal sealed class StandingLaw : IPacingLaw
{
    private Barrier? _barrier;

    public TimeSpan Interval => TimeSpan.Zero;

    public int MaxInFlight => 8;

    public int MaxBatchKeys => 100;

    public bool PacesReads => false;

    /// <summary>Has the lane wait at the barrier when the next batch has left its core, before the batch is sent.</summary>
    public void StandAtNextBatch(Barrier barrier) => _barrier = barrier;

    public void BatchSent(in BatchDeparture departure) => Interlocked.Exchange(ref _barrier, null)?.Pass();

    public void RequestAnswered(in StoreRequest request)
    {
    }
}
