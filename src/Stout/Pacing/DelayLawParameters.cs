namespace Stout.Pacing;

/// <summary>
/// Parameters of <see cref="DelayLaw"/>. Stores need no tuning; the bounds are here for services that must limit their latency or their connections.
/// </summary>
public sealed record DelayLawParameters
{
    /// <summary>
    /// The longest interval that queueing delay leads to, in milliseconds. Refusals for overload may lead to one of up to a minute. 1 to 60,000. Default: 400, as the paper's.
    /// </summary>
    public double MaxIntervalMilliseconds { get; set; } = 400;

    /// <summary>The most write requests in flight; the law allows fewer when the interval is long against the latency. 1 to 1,000. Default: 24.</summary>
    public int MaxInFlight { get; set; } = 24;

    /// <summary>
    /// An interval to begin with and to descend from, in milliseconds, for experiments. 0.1 to 60,000. Default: none. The law begins without an interval and with two requests in flight.
    /// </summary>
    public double? InitialIntervalMilliseconds { get; set; }

    internal void Validate()
    {
        InvalidOptionException.ThrowUnlessBetween(nameof(MaxIntervalMilliseconds), MaxIntervalMilliseconds, 1, 60_000);
        InvalidOptionException.ThrowUnlessBetween(nameof(MaxInFlight), MaxInFlight, 1, 1000);
        if (InitialIntervalMilliseconds is { } initial)
            InvalidOptionException.ThrowUnlessBetween(nameof(InitialIntervalMilliseconds), initial, 0.1, 60_000);
    }
}
