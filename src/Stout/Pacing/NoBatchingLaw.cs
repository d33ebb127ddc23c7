namespace Stout.Pacing;

/// <summary>Every change leaves as soon as a request may: with the first free place in flight, together with all that is dirty by then.</summary>
public sealed class NoBatchingLaw : IPacingLaw
{
    private readonly NoBatchingLawParameters _parameters;

    /// <summary>Makes the law.</summary>
    /// <exception cref="InvalidOptionException">A parameter is out of its range.</exception>
    public NoBatchingLaw(NoBatchingLawParameters parameters)
    {
        ArgumentNullException.ThrowIfNull(parameters);
        parameters.Validate();
        _parameters = parameters with { };
    }

    /// <inheritdoc/>
    public TimeSpan Interval => TimeSpan.Zero;

    /// <inheritdoc/>
    public int MaxInFlight => _parameters.MaxInFlight;

    /// <inheritdoc/>
    public int MaxBatchKeys => _parameters.MaxBatchKeys;

    /// <inheritdoc/>
    public void BatchSent(in BatchDeparture departure)
    {
    }

    /// <inheritdoc/>
    public void RequestAnswered(in StoreRequest request)
    {
    }
}
