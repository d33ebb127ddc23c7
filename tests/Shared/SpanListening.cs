using System.Diagnostics;

namespace Stout.Tests;

/// <summary>Listens to Stout's batch spans.</summary>
internal sealed class SpanListening : IDisposable
{
    private readonly ActivityListener _listener;

    public SpanListening(string client)
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name is "Stout" or "test",
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = span =>
            {
                if (!Equals(span.GetTagItem("stout.client.name"), client))
                    return;
                lock (Spans)
                    Spans.Add(span);
            },
        };
        ActivitySource.AddActivityListener(_listener);
    }

    public List<Activity> Spans { get; } = [];

    public void Dispose() => _listener.Dispose();
}
