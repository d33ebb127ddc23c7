namespace Stout.Pacing;

/// <summary>Parameters of <see cref="FixedIntervalLaw"/>.</summary>
public sealed record FixedIntervalParameters
{
    /// <summary>The interval, in milliseconds. 0 to 60,000. Default: 20.</summary>
    public double IntervalMilliseconds { get; set; } = 20;

    /// <summary>The most write requests in flight. 1 or more. Default: no limit, as in the paper.</summary>
    public int MaxInFlight { get; set; } = int.MaxValue;
}

/// <summary>A batch leaves every so many milliseconds, whatever the store does: the paper's comparator (section 5.3).</summary>
public sealed class FixedIntervalLaw : IPacingLaw
{
    /// <summary>Makes the law.</summary>
    /// <exception cref="InvalidOptionException">A parameter is out of its range.</exception>
    public FixedIntervalLaw(FixedIntervalParameters parameters)
    {
        ArgumentNullException.ThrowIfNull(parameters);
        InvalidOptionException.ThrowUnlessBetween(nameof(parameters.IntervalMilliseconds), parameters.IntervalMilliseconds, 0, 60_000);
        InvalidOptionException.ThrowUnlessAtLeast(nameof(parameters.MaxInFlight), parameters.MaxInFlight, 1);
        Interval = TimeSpan.FromMilliseconds(parameters.IntervalMilliseconds);
        MaxInFlight = parameters.MaxInFlight;
    }

    /// <inheritdoc/>
    public TimeSpan Interval { get; }

    /// <inheritdoc/>
    public int MaxInFlight { get; }

    /// <inheritdoc/>
    public int MaxBatchKeys => int.MaxValue;

    /// <inheritdoc/>
    public void BatchSent(in BatchDeparture departure)
    {
    }

    /// <inheritdoc/>
    public void RequestAnswered(in StoreRequest request)
    {
    }
}
