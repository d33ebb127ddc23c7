using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Pacing;

/// <summary>
/// Parameters of <see cref="DelayLaw"/>. The law needs no tuning for a store; the bounds serve services that must limit latency or connections.
/// </summary>
public sealed record DelayLawParameters
{
    /// <summary>
    /// The longest interval that queueing delay causes. Refusals for overload may lengthen the interval to 1 minute. Range: 1 ms to 1 minute. Default:
    /// 400 ms, the paper's value.
    /// </summary>
    [TimeRange("00:00:00.001", "00:01:00")]
    public TimeSpan MaxInterval { get; set; } = TimeSpan.FromMilliseconds(400);

    /// <summary>
    /// The most write requests in flight. The law allows fewer if the interval is long compared with the latency. 1 to 1,000. Default: 24.
    /// </summary>
    [Range(1, 1000)]
    public int MaxInFlight { get; set; } = 24;

    /// <summary>
    /// An interval with which the law starts, and which the law then shortens, for experiments. 0.1 ms to 1 minute. Default: null; the law starts without
    /// an interval and with two requests in flight.
    /// </summary>
    [TimeRange("00:00:00.0001", "00:01:00")]
    public TimeSpan? InitialInterval { get; set; }

    internal double MaxIntervalMilliseconds => MaxInterval.TotalMilliseconds;

    internal double? InitialIntervalMilliseconds => InitialInterval?.TotalMilliseconds;

    internal void Validate() => InvalidOptionException.ThrowIfInvalid(new DelayLawParametersValidator(), this);
}

[OptionsValidator]
internal sealed partial class DelayLawParametersValidator : IValidateOptions<DelayLawParameters>;
