using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>Reports whole windows to a law: enough requests for one decision, answered long enough after the last decision.</summary>
internal sealed class LawDriver(PaperLawParameters parameters)
{
    private double _now;

    public PaperLaw Law { get; } = new(parameters);

    public double Interval => Law.Interval.TotalMilliseconds;

    /// <summary>Reports one window of <paramref name="bytes"/> in total, on which the law decides. Times are in milliseconds.</summary>
    public void Window(
        double bytes,
        double latency,
        double interval,
        bool applicationLimited = false,
        StoreRequestOutcome outcome = StoreRequestOutcome.Answered)
    {
        _now += 100_000;
        var requests = parameters.MinRequests;
        for (var i = 0; i < requests; i++)
            Law.RequestAnswered(Request((long)bytes / requests, latency, interval, _now, applicationLimited, outcome));
    }

    /// <summary>
    /// Makes the law accelerate and then back off, under each of the paper's calibrations. Its averages are then 1000 bytes, a latency of 20 ms, and an
    /// interval of 80 ms. The performance (perf) is bytes / (latency + interval).
    /// </summary>
    public void AccelerateThenBackOff()
    {
        Window(bytes: 6000, latency: 20, interval: 80); // perf 60
        Window(bytes: 1000, latency: 20, interval: 80); // perf 10, below 0.2 x 60
    }

    /// <summary>Whether one more window lengthens the interval.</summary>
    public bool BacksOffAfter(double bytes, double latency, double interval)
    {
        var before = Interval;
        Window(bytes, latency, interval);
        return Interval > before;
    }

    public static StoreRequest Request(
        long bytes,
        double latency,
        double interval,
        double answeredAt,
        bool applicationLimited = false,
        StoreRequestOutcome outcome = StoreRequestOutcome.Answered,
        StoreRequestKind kind = StoreRequestKind.Write) => new()
        {
            Kind = kind,
            Operations = 1,
            Bytes = bytes,
            SentAt = TimeSpan.FromMilliseconds(answeredAt - latency),
            AnsweredAt = TimeSpan.FromMilliseconds(answeredAt),
            Outcome = outcome,
            Interval = TimeSpan.FromMilliseconds(interval),
            ApplicationLimited = applicationLimited,
        };
}
