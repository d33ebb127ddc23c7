namespace SectionedDocuments.Figures;

/// <summary>Times the requests for documents, from routing to the end of the answer, as a client sees them.</summary>
internal sealed class RequestRecorder(TimeProvider time)
{
    private readonly LatencyHistogram _latencies = new();

    public LatencyCounts Read() => _latencies.Read();

    public async Task RecordAsync(HttpContext context, RequestDelegate next)
    {
        var began = time.GetTimestamp();
        try
        {
            await next(context);
        }
        finally
        {
            _latencies.Record(time.GetElapsedTime(began));
        }
    }
}
