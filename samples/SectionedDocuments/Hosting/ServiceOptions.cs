using Stout;

namespace SectionedDocuments.Hosting;

/// <summary>The service's own options, in the configuration's section <c>SectionedDocuments</c>.</summary>
internal sealed class ServiceOptions
{
    /// <summary>The longest section that a client may send, in bytes of UTF-8. 1 or more. Default: 1 MiB.</summary>
    public long MaxBodyBytes { get; set; } = 1 << 20;

    /// <summary>The number of requests per second that each client may make on average. 0, which switches all limits off, to 1,000,000. Default: 200.</summary>
    public int RequestsPerSecond { get; set; } = 200;

    /// <summary>How many requests a client may make at once after a pause, beyond its rate. 1 to 1,000,000. Default: 400.</summary>
    public int RequestBurst { get; set; } = 400;

    /// <summary>How many requests of each client may be under way at once. 1 to 1,000,000. Default: 64.</summary>
    public int RequestsAtOnce { get; set; } = 64;

    /// <summary>Whether <c>/metrics</c> serves the metrics to Prometheus, to every client that reaches the service. Default: false.</summary>
    public bool Prometheus { get; set; }

    public void Validate()
    {
        const int Most = 1_000_000;
        InvalidOptionException.Under("SectionedDocuments", () =>
        {
            InvalidOptionException.ThrowUnlessAtLeast(nameof(MaxBodyBytes), MaxBodyBytes, 1);
            InvalidOptionException.ThrowUnlessBetween(nameof(RequestsPerSecond), RequestsPerSecond, 0, Most);
            InvalidOptionException.ThrowUnlessBetween(nameof(RequestBurst), RequestBurst, 1, Most);
            InvalidOptionException.ThrowUnlessBetween(nameof(RequestsAtOnce), RequestsAtOnce, 1, Most);
        });
    }
}
