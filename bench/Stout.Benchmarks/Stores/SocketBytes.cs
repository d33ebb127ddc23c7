using System.Diagnostics.Tracing;

namespace Stout.Benchmarks.Stores;

/// <summary>
/// The bytes that the sockets of this process have sent and received, as .NET counts them. The count works for every client, includes the overhead of
/// encryption and HTTP, and needs no proxy between client and server.
/// </summary>
internal sealed class SocketBytes : EventListener
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, (double Bytes, int Reports)> _counters = new() { ["bytes-sent"] = default, ["bytes-received"] = default };

    /// <summary>Waits until the bytes sent and the bytes received are reported anew, and returns their sum.</summary>
    public async Task<long> ReadAsync()
    {
        var before = Reports();
        while (Reports().Zip(before).Any(count => count.First == count.Second))
            await Task.Delay(10);
        lock (_lock)
            return (long)_counters.Values.Sum(counter => counter.Bytes);
    }

    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == "System.Net.Sockets")
            EnableEvents(eventSource, EventLevel.Critical, EventKeywords.None, new Dictionary<string, string?> { ["EventCounterIntervalSec"] = "0.1" });
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (eventData.Payload is not [IDictionary<string, object?> counter] || counter["Name"] is not string name || counter["Mean"] is not double bytes)
            return;
        lock (_lock)
        {
            if (_counters.TryGetValue(name, out var known))
                _counters[name] = (bytes, known.Reports + 1);
        }
    }

    private int[] Reports()
    {
        lock (_lock)
            return [.. _counters.Values.Select(counter => counter.Reports)];
    }
}
