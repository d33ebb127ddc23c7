using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Pacing;

/// <summary>
/// Parameters of <see cref="DelayLaw"/>. Stores need no tuning; the bounds are here for services that must limit their latency or their connections.
/// </summary>
public sealed record DelayLawParameters
{
    /// <summary>
    /// The longest interval that queueing delay leads to. Refusals for overload may lead to one of up to a minute. 1 ms to 1 minute.
    /// Default: 400 ms, as the paper's.
    /// </summary>
    [TimeRange("00:00:00.001", "00:01:00")]
    public TimeSpan MaxInterval { get; set; } = TimeSpan.FromMilliseconds(400);

    /// <summary>The most write requests in flight; the law allows fewer when the interval is long against the latency. 1 to 1,000. Default: 24.</summary>
    [Range(1, 1000)]
    public int MaxInFlight { get; set; } = 24;

    /// <summary>
    /// An interval to begin with and to descend from, for experiments. 0.1 ms to 1 minute. Default: none. The law begins without an interval
    /// and with two requests in flight.
    /// </summary>
    [TimeRange("00:00:00.0001", "00:01:00")]
    public TimeSpan? InitialInterval { get; set; }

    internal double MaxIntervalMilliseconds => MaxInterval.TotalMilliseconds;

    internal double? InitialIntervalMilliseconds => InitialInterval?.TotalMilliseconds;

    internal void Validate() => InvalidOptionException.ThrowIfInvalid(new DelayLawParametersValidator(), this);
}

[OptionsValidator]
internal sealed partial class DelayLawParametersValidator : IValidateOptions<DelayLawParameters>;
