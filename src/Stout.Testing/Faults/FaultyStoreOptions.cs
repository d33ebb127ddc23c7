using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Testing;

/// <summary>What a <see cref="FaultyStore"/> injects by chance. By default nothing.</summary>
public sealed record FaultyStoreOptions
{
    /// <summary>
    /// Where the dice begin; default 0. The same seed and the same requests, one after the other, have the same faults. Counts when the
    /// store is made; later changes have no effect.
    /// </summary>
    public int Seed { get; set; }

    /// <summary>The least time that a request takes on its way to the store; 0 to 1 hour, default 0.</summary>
    [TimeRange("00:00:00", "01:00:00")]
    public TimeSpan MinLatency { get; set; }

    /// <summary>The greatest time that a request takes on its way to the store; <see cref="MinLatency"/> to 1 hour, default 0.</summary>
    [TimeRange("00:00:00", "01:00:00")]
    public TimeSpan MaxLatency { get; set; }

    /// <summary>How long an overloaded store, or one with a busy key, asks to be left alone: 0 to 1 hour, or null, the default: it does not say.</summary>
    [TimeRange("00:00:00", "01:00:00")]
    public TimeSpan? RetryAfter { get; set; }

    /// <summary>How often a request as a whole has a fault.</summary>
    [Required, ValidateObjectMembers(typeof(FaultRatesValidator))]
    public FaultRates Requests { get; set; } = new();

    /// <summary>How often a key has a fault in a request that has none as a whole.</summary>
    [Required, ValidateObjectMembers(typeof(FaultRatesValidator))]
    public FaultRates Keys { get; set; } = new();

    /// <summary>
    /// How often the store dies of a request, before or after it applies it, 0 to 1; default 0. It is dead for <see cref="DownTime"/>.
    /// </summary>
    [Range(0.0, 1.0)]
    public double Death { get; set; }

    /// <summary>How long the store stays dead after a <see cref="Death"/>; 0 to 1 hour, default 1 s.</summary>
    [TimeRange("00:00:00", "01:00:00")]
    public TimeSpan DownTime { get; set; } = TimeSpan.FromSeconds(1);

    internal FaultyStoreOptions Copy() => this with { Requests = Requests with { }, Keys = Keys with { } };

    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    internal void Validate()
    {
        InvalidOptionException.ThrowIfInvalid(new FaultyStoreOptionsValidator(), this);
        // An attribute can neither compare two options nor add them. The addition may round up.
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
