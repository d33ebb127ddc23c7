using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Storage;

/// <summary>The time limit and the circuit breaker of calls to a store over a network. All such stores use the same options.</summary>
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

    /// <summary>
    /// The least number of finished calls within <see cref="BreakerWindow"/> for a store partition's circuit breaker to open: 2 to 1,000,000, default 5.
    /// </summary>
    [Range(2, 1_000_000)]
    public int BreakerMinCalls { get; set; } = 5;

    /// <summary>
    /// The share of calls without an answer (unreachable or unknown) at which the breaker opens: 0.001 to 1, default 0.9. Refusals and overload are
    /// answers.
    /// </summary>
    [Range(0.001, 1.0)]
    public double BreakerFailureShare { get; set; } = 0.9;

    /// <summary>The breaker's counting window: 500 ms to 1 hour, default 10 s.</summary>
    [TimeRange("00:00:00.500", "01:00:00")]
    public TimeSpan BreakerWindow { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>The time for which an open breaker refuses calls before it lets one probe through: 500 ms to 1 hour, default 500 ms.</summary>
    [TimeRange("00:00:00.500", "01:00:00")]
    public TimeSpan BreakerPause { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>Validates every option.</summary>
    /// <exception cref="InvalidOptionException">An option is out of its range. The message names the first one and its range.</exception>
    public void Validate() => InvalidOptionException.ThrowIfInvalid(new StoreCallOptionsValidator(), this);
}

[OptionsValidator]
internal sealed partial class StoreCallOptionsValidator : IValidateOptions<StoreCallOptions>;
