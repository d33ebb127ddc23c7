using Microsoft.Extensions.Options;

namespace Stout.Pacing;

/// <summary>Parameters of <see cref="FixedIntervalLaw"/>.</summary>
public sealed record FixedIntervalLawParameters
{
    /// <summary>The interval. 0 to 1 minute. Default: 20 ms.</summary>
    [TimeRange("00:00:00", "00:01:00")]
    public TimeSpan Interval { get; set; } = TimeSpan.FromMilliseconds(20);

    /// <summary>The most write requests in flight. 1 or more. Default: no limit, as in the paper.</summary>
    [AtLeast(1)]
    public int MaxInFlight { get; set; } = int.MaxValue;

    internal void Validate() => InvalidOptionException.ThrowIfInvalid(new FixedIntervalLawParametersValidator(), this);
}

[OptionsValidator]
internal sealed partial class FixedIntervalLawParametersValidator : IValidateOptions<FixedIntervalLawParameters>;
