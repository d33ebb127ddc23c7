namespace Stout.Pacing;

/// <summary>Parameters of <see cref="WindowLaw"/>.</summary>
public sealed record WindowParameters
{
    /// <summary>The most write requests in flight. 1 or more. Default: 1.</summary>
    public int MaxInFlight { get; set; } = 1;
}

/// <summary>A fixed number of write requests in flight and no interval: with one, a batch leaves when the answer to the last has come.</summary>
public sealed class WindowLaw : IPacingLaw
{
    /// <summary>Makes the law.</summary>
    /// <exception cref="InvalidOptionException">A parameter is out of its range.</exception>
    public WindowLaw(WindowParameters parameters)
    {
        ArgumentNullException.ThrowIfNull(parameters);
        InvalidOptionException.ThrowUnlessAtLeast(nameof(parameters.MaxInFlight), parameters.MaxInFlight, 1);
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
