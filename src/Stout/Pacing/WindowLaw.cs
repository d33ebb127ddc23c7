namespace Stout.Pacing;

/// <summary>
/// A fixed number of write requests in flight and no interval. With a limit of 1, a batch leaves as soon as the previous one is answered.
/// </summary>
public sealed class WindowLaw : IPacingLaw
{
    /// <summary>Creates the law.</summary>
    /// <exception cref="InvalidOptionException">A parameter is out of its range.</exception>
    public WindowLaw(WindowLawParameters parameters)
    {
        ArgumentNullException.ThrowIfNull(parameters);
        parameters.Validate();
        MaxInFlight = parameters.MaxInFlight;
    }

    /// <inheritdoc/>
    public TimeSpan Interval => TimeSpan.Zero;

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
