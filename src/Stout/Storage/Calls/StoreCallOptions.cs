using Microsoft.Extensions.Options;

namespace Stout.Storage;

/// <summary>The time limit of calls to a store over a network. All such stores use the same option.</summary>
/// <remarks>
/// Calls of unknown outcome are not repeated here. The lane repeats them, with the same stamps and bytes, for <see
/// cref="StoutOptions.ResolveUnknownFor"/>.
/// </remarks>
public sealed record StoreCallOptions
{
    /// <summary>
    /// The time limit of one call, after which its outcome counts as unknown: 10 ms to 10 minutes, default 10 s. It matters only if it is shorter
    /// than <see cref="StoutOptions.RequestTimeout"/>.
    /// </summary>
    [TimeRange("00:00:00.010", "00:10:00")]
    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(10);

    // The circuit breaker of a store partition. It opens after this many calls in its window, if this share of them has no answer (unreachable or unknown;
    // refusals and overload are answers). After the pause it lets one probe through.
    internal int BreakerMinCalls { get; init; } = 5;

    internal double BreakerFailureShare { get; init; } = 0.9;

    internal TimeSpan BreakerWindow { get; init; } = TimeSpan.FromSeconds(10);

    internal TimeSpan BreakerPause { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>Validates every option.</summary>
    /// <exception cref="InvalidOptionException">An option is out of its range. The message names the first one and its range.</exception>
    public void Validate() => InvalidOptionException.ThrowIfInvalid(new StoreCallOptionsValidator(), this);
}

[OptionsValidator]
internal sealed partial class StoreCallOptionsValidator : IValidateOptions<StoreCallOptions>;
