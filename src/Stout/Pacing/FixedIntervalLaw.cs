namespace Stout.Pacing;

/// <summary>
/// Sends a batch after each interval of fixed length and ignores the store's answers. The paper compares its adaptive law with this one (section 5.3).
/// </summary>
public sealed class FixedIntervalLaw : IPacingLaw
{
    /// <summary>Creates the law.</summary>
    /// <exception cref="InvalidOptionException">A parameter is out of its range.</exception>
    public FixedIntervalLaw(FixedIntervalLawParameters parameters)
    {
        ArgumentNullException.ThrowIfNull(parameters);
        parameters.Validate();
        Interval = parameters.Interval;
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
