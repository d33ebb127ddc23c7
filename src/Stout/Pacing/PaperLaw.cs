namespace Stout.Pacing;

/// <summary>Parameters of <see cref="PaperLaw"/>.</summary>
public sealed record PaperLawParameters
{
}

/// <summary>The paper's law.</summary>
public sealed class PaperLaw : IPacingLaw
{
    /// <summary>Makes the law.</summary>
    public PaperLaw(PaperLawParameters parameters)
    {
    }

    /// <inheritdoc/>
    public TimeSpan Interval => TimeSpan.FromMilliseconds(5);

    /// <inheritdoc/>
    public int MaxInFlight => int.MaxValue;

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
