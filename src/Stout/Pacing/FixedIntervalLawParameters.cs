namespace Stout.Pacing;

/// <summary>Parameters of <see cref="FixedIntervalLaw"/>.</summary>
public sealed record FixedIntervalLawParameters
{
    /// <summary>The interval. 0 to 1 minute. Default: 20 ms.</summary>
    public TimeSpan Interval { get; set; } = TimeSpan.FromMilliseconds(20);

    /// <summary>The most write requests in flight. 1 or more. Default: no limit, as in the paper.</summary>
    public int MaxInFlight { get; set; } = int.MaxValue;

    internal void Validate()
    {
        InvalidOptionException.ThrowUnlessBetween(nameof(Interval), Interval, TimeSpan.Zero, TimeSpan.FromMinutes(1));
        InvalidOptionException.ThrowUnlessAtLeast(nameof(MaxInFlight), MaxInFlight, 1);
    }
}
