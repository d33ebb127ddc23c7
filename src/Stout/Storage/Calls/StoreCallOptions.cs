using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Storage;

/// <summary>How long calls to a store over a network may take, and when it is left alone for a while. The same for every such store.</summary>
/// <remarks>
/// Unknown outcomes are not repeated here: the lane does that, with the same stamps and bytes, for
/// <see cref="StoutOptions.ResolveUnknownFor"/>.
/// </remarks>
public sealed record StoreCallOptions
{
    /// <summary>
    /// How long one call may take before its outcome counts as unknown: 10 ms to 10 minutes, default 10 s. Has an effect only if it is
    /// shorter than <see cref="StoutOptions.RequestTimeout"/>.
    /// </summary>
    [TimeRange("00:00:00.010", "00:10:00")]
    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How many calls to a store partition must have been answered or failed within <see cref="BreakerWindow"/> before its circuit
    /// breaker may open: 2 to 1,000,000, default 5.
    /// </summary>
    [Range(2, 1_000_000)]
    public int BreakerMinCalls { get; set; } = 5;

    /// <summary>
    /// The share of calls without an answer (unreachable, or unknown) from which on the breaker opens: 0.001 to 1, default 0.9.
    /// Refusals and overload are answers.
    /// </summary>
    [Range(0.001, 1.0)]
    public double BreakerFailureShare { get; set; } = 0.9;

    /// <summary>The time over which the breaker counts: 500 ms to 1 hour, default 10 s.</summary>
    [TimeRange("00:00:00.500", "01:00:00")]
    public TimeSpan BreakerWindow { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long an open breaker turns calls away before it lets one through to probe: 500 ms to 1 hour, default 500 ms.</summary>
    [TimeRange("00:00:00.500", "01:00:00")]
    public TimeSpan BreakerPause { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>Checks every option.</summary>
    /// <exception cref="InvalidOptionException">Names the first option that is out of its range, and the range.</exception>
    public void Validate() => InvalidOptionException.ThrowIfInvalid(new StoreCallOptionsValidator(), this);
}

[OptionsValidator]
internal sealed partial class StoreCallOptionsValidator : IValidateOptions<StoreCallOptions>;
