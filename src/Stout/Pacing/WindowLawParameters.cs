namespace Stout.Pacing;

/// <summary>Parameters of <see cref="WindowLaw"/>.</summary>
public sealed record WindowLawParameters
{
    /// <summary>The most write requests in flight. 1 or more. Default: 1.</summary>
    public int MaxInFlight { get; set; } = 1;

    internal void Validate() => InvalidOptionException.ThrowUnlessAtLeast(nameof(MaxInFlight), MaxInFlight, 1);
}
