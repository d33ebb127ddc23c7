using System.Runtime.CompilerServices;
using SectionedDocuments.Endpoints;
using SectionedDocuments.Hosting;
using Stout;

namespace SectionedDocuments.Figures;

/// <summary>
/// Reads the service's figures several times a second. Each listener has its own timer and its own window of readings, so nothing runs without a listener.
/// </summary>
internal sealed class LiveFigures(IDocuments documents, RequestRecorder requests, TimeProvider time, StoreStall? stall = null, DevelopmentWriters? writers = null)
{
    private const int ReadingsPerSecond = 4;

    private readonly Guid _service = Guid.NewGuid();

    /// <summary>Returns the figures four times a second, until <paramref name="unwanted"/> is cancelled.</summary>
    public async IAsyncEnumerable<ServiceFigures> WatchAsync([EnumeratorCancellation] CancellationToken unwanted)
    {
        using var clock = new PeriodicTimer(TimeSpan.FromSeconds(1) / ReadingsPerSecond, time);
        var window = new Queue<Reading>();
        do
        {
            var now = Read();
            window.Enqueue(now);
            yield return Between(window.Peek(), now);
            if (window.Count > ReadingsPerSecond)
                window.Dequeue();
        }
        while (await TickAsync(clock, unwanted));
    }

    /// <summary>Waits for the next tick. Returns false after a cancellation, so that the stream ends without an error.</summary>
    private static async ValueTask<bool> TickAsync(PeriodicTimer clock, CancellationToken unwanted)
    {
        try
        {
            return await clock.WaitForNextTickAsync(unwanted);
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }

    private Reading Read() => new(time.GetTimestamp(), documents.GetStatistics(), documents.AcknowledgedChanges, requests.Read());

    private ServiceFigures Between(Reading then, Reading now)
    {
        var seconds = time.GetElapsedTime(then.Timestamp, now.Timestamp).TotalSeconds;
        var answered = now.Requests.Since(then.Requests);
        var acknowledged = now.AcknowledgedChanges - then.AcknowledgedChanges;
        var written = now.Stout.KeysWritten - then.Stout.KeysWritten;
        var batches = now.Stout.WriteRequests - then.Stout.WriteRequests;
        return new ServiceFigures
        {
            Service = _service,
            AcknowledgedChanges = now.AcknowledgedChanges,
            RequestsPerSecond = seconds > 0 ? answered.Requests / seconds : 0,
            MeanLatency = answered.Mean()?.TotalMilliseconds,
            HighLatency = answered.Percentile(0.99)?.TotalMilliseconds,
            Interval = now.Stout.Interval.TotalMilliseconds,
            BatchSize = batches > 0 ? (double)written / batches : null,
            CollapsedShare = acknowledged > 0 ? Math.Max(0, (double)(acknowledged - written) / acknowledged) : null,
            HeldReplies = documents.HeldReplies,
            DirtyKeys = now.Stout.DirtyKeys,
            LongestWait = now.Stout.OldestUndurableAge.TotalMilliseconds,
            StoreFailing = now.Stout.StoreFailing,
            Stalled = stall?.Stalled,
            Writers = writers?.Count,
        };
    }

    private sealed record Reading(long Timestamp, StoutStatistics Stout, long AcknowledgedChanges, LatencyCounts Requests);
}
