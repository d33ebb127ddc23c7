using Microsoft.Extensions.Options;

namespace Stout.Pacing;

/// <summary>Parameters of <see cref="NoBatchingLaw"/>.</summary>
public sealed record NoBatchingLawParameters
{
    /// <summary>The most keys in one request. 1 or more. Default: only the store's limit.</summary>
    [AtLeast(1)]
    public int MaxBatchKeys { get; set; } = int.MaxValue;

    /// <summary>The most write requests in flight. 1 or more. Default: 8.</summary>
    [AtLeast(1)]
    public int MaxInFlight { get; set; } = 8;

    internal void Validate() => InvalidOptionException.ThrowIfInvalid(new NoBatchingLawParametersValidator(), this);
}

[OptionsValidator]
internal sealed partial class NoBatchingLawParametersValidator : IValidateOptions<NoBatchingLawParameters>;
