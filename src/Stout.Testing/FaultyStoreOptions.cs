using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Testing;

/// <summary>The random faults of a <see cref="FaultyStore"/>. Default: no faults.</summary>
public sealed record FaultyStoreOptions
{
    /// <summary>
    /// The random seed; default 0. The same seed and the same sequence of requests give the same faults. Read at construction only.
    /// </summary>
    public int Seed { get; set; }

    /// <summary>The smallest delay before a request reaches the store; 0 to 1 hour, default 0.</summary>
    [TimeRange("00:00:00", "01:00:00")]
    public TimeSpan MinLatency { get; set; }

    /// <summary>The largest delay before a request reaches the store; <see cref="MinLatency"/> to 1 hour, default 0.</summary>
    [TimeRange("00:00:00", "01:00:00")]
    public TimeSpan MaxLatency { get; set; }

    /// <summary>The delay that an overloaded store or a busy key asks for: 0 to 1 hour. Default: null; the store does not ask.</summary>
    [TimeRange("00:00:00", "01:00:00")]
    public TimeSpan? RetryAfter { get; set; }

    /// <summary>The rates of faults of whole requests.</summary>
    [Required, ValidateObjectMembers(typeof(FaultRatesValidator))]
    public FaultRates Requests { get; set; } = new();

    /// <summary>The rates of faults of single keys, in requests that have no fault as a whole.</summary>
    [Required, ValidateObjectMembers(typeof(FaultRatesValidator))]
    public FaultRates Keys { get; set; } = new();

    /// <summary>
    /// The probability that a request kills the store, before or after it is applied; 0 to 1, default 0. The store stays dead for <see
    /// cref="DownTime"/>.
    /// </summary>
    [Range(0.0, 1.0)]
    public double Death { get; set; }

    /// <summary>The time for which the store stays dead after a <see cref="Death"/>; 0 to 1 hour, default 1 s.</summary>
    [TimeRange("00:00:00", "01:00:00")]
    public TimeSpan DownTime { get; set; } = TimeSpan.FromSeconds(1);

    internal FaultyStoreOptions Copy() => this with { Requests = Requests with { }, Keys = Keys with { } };

    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new FaultyStoreOptionsValidator(), this);
        // Attributes can neither compare options nor add them, so code does it. The tolerance of 1e-9 allows for rounding in the sum.
        InvalidOptionException.ThrowUnlessAtLeast(nameof(MaxLatency), MaxLatency, MinLatency);
        foreach (var (name, rates) in ((string, FaultRates)[])[(nameof(Requests), Requests), (nameof(Keys), Keys)])
        {
            if (rates.Sum > 1 + 1e-9)
                throw new InvalidOptionException(name, "its rates must be 1 or less together");
        }
    }
}

[OptionsValidator]
internal sealed partial class FaultyStoreOptionsValidator : IValidateOptions<FaultyStoreOptions>;
