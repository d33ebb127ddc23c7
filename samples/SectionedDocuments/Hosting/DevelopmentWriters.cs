using SectionedDocuments.Endpoints;
using SectionedDocuments.Figures;
using SectionedDocuments.Problems;
using Stout;

namespace SectionedDocuments.Hosting;

/// <summary>
/// Many writers of a few documents, inside the service. For development: a browser sends too few concurrent requests to show how edits collapse.
/// </summary>
internal sealed class DevelopmentWriters(IDocuments documents, RequestRecorder requests, TimeProvider time)
{
    private const int Writers = 64;
    private const int Documents = 8;

    /// <summary>The shortest time between an edit's acknowledgement and the writer's next edit.</summary>
    private static readonly TimeSpan ShortestPause = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan PauseRange = TimeSpan.FromMilliseconds(200);

    private CancellationTokenSource? _stop;

    /// <summary>The number of writers at this moment.</summary>
    public int Count => Volatile.Read(ref _stop) is null ? 0 : Writers;

    public void Begin()
    {
        var stop = new CancellationTokenSource();
        if (Interlocked.CompareExchange(ref _stop, stop, null) is not null)
            return;
        for (var writer = 0; writer < Writers; writer++)
            _ = WriteAsync(writer, stop.Token);
    }

    public void End() => Interlocked.Exchange(ref _stop, null)?.Cancel();

    /// <summary>Edits one section repeatedly. As with a client of the service, each edit starts after the one before is durable.</summary>
    private async Task WriteAsync(int writer, CancellationToken stop)
    {
        var random = new Random(writer);
        var (document, section) = ($"writers-{writer % Documents}", $"Writer {writer:00}");
        for (var edit = 1; ; edit++)
        {
            try
            {
                await Task.Delay(ShortestPause + (random.NextDouble() * PauseRange), time, stop);
                var text = $"Edit {edit}";
                await requests.RecordAsync(() => documents.WriteAsync(document, section, text, stop).AsTask());
            }
            catch (OperationCanceledException) when (stop.IsCancellationRequested)
            {
                return;
            }
            catch (Exception error) when (error is StoutException or ProblemException or OperationCanceledException)
            {
                // The store was stalled for longer than the service waits for it. The next edit tries again.
            }
        }
    }
}
