using Stout.Storage;

namespace ServiceUnderTest;

/// <summary>A partition that counts write requests, and treats requests according to the mood.</summary>
internal sealed class WatchedPartition(IStorePartition inner, MoodSwitch mood, BatchCounters? counters) : IStorePartition
{
    public int PreferredInFlight => inner.PreferredInFlight;

    public IReadOnlyList<BackgroundJob> BackgroundJobs => inner.BackgroundJobs;

    public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        await mood.PassAsync("write", cancellationToken);
        counters?.CountSent();
        await inner.WriteAsync(batch, cancellationToken);
        counters?.CountAnswered();
        if (mood.Mood != Mood.Silent)
            return;
        for (var i = 0; i < batch.Count; i++)
            batch.SetOutcome(i, new WriteOutcome(WriteOutcomeKind.Unknown));
    }

    public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        await mood.PassAsync("read", cancellationToken);
        await inner.ReadAsync(batch, cancellationToken);
    }
}
