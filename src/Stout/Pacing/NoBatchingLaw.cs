namespace Stout.Pacing;

/// <summary>Sends each change as soon as the in-flight limit allows, together with all other dirty keys.</summary>
public sealed class NoBatchingLaw : IPacingLaw
{
    private readonly NoBatchingLawParameters _parameters;

    /// <summary>Creates the law.</summary>
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
