namespace Stout.Pacing;

/// <summary>Parameters of <see cref="NoBatchingLaw"/>.</summary>
public sealed record NoBatchingParameters
{
    /// <summary>The most keys in one request. 1 or more. Default: no limit but the store's.</summary>
    public int MaxBatchKeys { get; set; } = int.MaxValue;

    /// <summary>The most write requests in flight. 1 or more. Default: 8.</summary>
    public int MaxInFlight { get; set; } = 8;
}

/// <summary>Every change leaves as soon as a request may: with the first free place in flight, together with all that is dirty by then.</summary>
public sealed class NoBatchingLaw : IPacingLaw
{
    private readonly NoBatchingParameters _parameters;

    /// <summary>Makes the law.</summary>
    /// <exception cref="InvalidOptionException">A parameter is out of its range.</exception>
    public NoBatchingLaw(NoBatchingParameters parameters)
    {
        ArgumentNullException.ThrowIfNull(parameters);
        InvalidOptionException.ThrowUnlessAtLeast(nameof(parameters.MaxBatchKeys), parameters.MaxBatchKeys, 1);
        InvalidOptionException.ThrowUnlessAtLeast(nameof(parameters.MaxInFlight), parameters.MaxInFlight, 1);
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
