namespace SectionedDocuments.Figures;

/// <summary>Times the requests for documents, from routing to the end of the answer, as a client sees them. Edits of the development writers count as well.</summary>
internal sealed class RequestRecorder(TimeProvider time)
{
    private readonly LatencyHistogram _latencies = new();

    public LatencyCounts Read() => _latencies.Read();

    public Task RecordAsync(HttpContext context, RequestDelegate next) => RecordAsync(() => next(context));

    public async Task RecordAsync(Func<Task> request)
    {
        var began = time.GetTimestamp();
        try
        {
            await request();
        }
        finally
        {
            _latencies.Record(time.GetElapsedTime(began));
        }
    }
}
