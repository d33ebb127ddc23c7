namespace Stout.Pacing;

/// <summary>Parameters of <see cref="NoBatchingLaw"/>.</summary>
public sealed record NoBatchingLawParameters
{
    /// <summary>The most keys in one request. 1 or more. Default: no limit but the store's.</summary>
    public int MaxBatchKeys { get; set; } = int.MaxValue;

    /// <summary>The most write requests in flight. 1 or more. Default: 8.</summary>
    public int MaxInFlight { get; set; } = 8;

    internal void Validate()
    {
        InvalidOptionException.ThrowUnlessAtLeast(nameof(MaxBatchKeys), MaxBatchKeys, 1);
        InvalidOptionException.ThrowUnlessAtLeast(nameof(MaxInFlight), MaxInFlight, 1);
    }
}
