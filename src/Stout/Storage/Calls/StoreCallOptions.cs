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
    public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// How many calls to a store partition must have been answered or failed within <see cref="BreakerWindow"/> before its circuit
    /// breaker may open: 2 to 1,000,000, default 5.
    /// </summary>
    public int BreakerMinCalls { get; set; } = 5;

    /// <summary>
    /// The share of calls without an answer (unreachable, or unknown) from which on the breaker opens: above 0, at most 1, default 0.9.
    /// Refusals and overload are answers.
    /// </summary>
    public double BreakerFailureShare { get; set; } = 0.9;

    /// <summary>The time over which the breaker counts: 500 ms to 1 hour, default 10 s.</summary>
    public TimeSpan BreakerWindow { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>How long an open breaker turns calls away before it lets one through to probe: 500 ms to 1 hour, default 500 ms.</summary>
    public TimeSpan BreakerPause { get; set; } = TimeSpan.FromMilliseconds(500);

    /// <summary>Checks every option.</summary>
    /// <exception cref="InvalidOptionException">Names the first option that is out of its range, and the range.</exception>
    public void Validate()
    {
        InvalidOptionException.ThrowUnlessBetween(nameof(Timeout), Timeout, TimeSpan.FromMilliseconds(10), TimeSpan.FromMinutes(10));
        InvalidOptionException.ThrowUnlessBetween(nameof(BreakerMinCalls), BreakerMinCalls, 2, 1_000_000);
        InvalidOptionException.ThrowUnlessBetween(nameof(BreakerFailureShare), BreakerFailureShare, 0.001, 1);
        InvalidOptionException.ThrowUnlessBetween(nameof(BreakerWindow), BreakerWindow, TimeSpan.FromMilliseconds(500), TimeSpan.FromHours(1));
        InvalidOptionException.ThrowUnlessBetween(nameof(BreakerPause), BreakerPause, TimeSpan.FromMilliseconds(500), TimeSpan.FromHours(1));
    }
}
