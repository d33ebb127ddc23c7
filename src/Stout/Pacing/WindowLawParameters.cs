using Microsoft.Extensions.Options;

namespace Stout.Pacing;

/// <summary>Parameters of <see cref="WindowLaw"/>.</summary>
public sealed record WindowLawParameters
{
    /// <summary>The most write requests in flight. 1 or more. Default: 1.</summary>
    [AtLeast(1)]
    public int MaxInFlight { get; set; } = 1;

    internal void Validate() => InvalidOptionException.ThrowIfInvalid(new WindowLawParametersValidator(), this);
}

[OptionsValidator]
internal sealed partial class WindowLawParametersValidator : IValidateOptions<WindowLawParameters>;
