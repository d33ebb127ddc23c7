using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;

namespace Stout.Testing;

/// <summary>
/// The rates of the faults that a <see cref="FaultyStore"/> injects at random. A rate is a probability from 0 (never, the default) to 1 (always); the sum
/// of all rates is at most 1.
/// </summary>
public sealed record FaultRates
{
    /// <summary>The rate of <see cref="StoreFault.Overloaded"/>.</summary>
    [Range(0.0, 1.0)]
    public double Overloaded { get; set; }

    /// <summary>The rate of <see cref="StoreFault.Unreachable"/>.</summary>
    [Range(0.0, 1.0)]
    public double Unreachable { get; set; }

    /// <summary>The rate of <see cref="StoreFault.Refused"/>.</summary>
    [Range(0.0, 1.0)]
    public double Refused { get; set; }

    /// <summary>The rate of <see cref="StoreFault.LostRequest"/>.</summary>
    [Range(0.0, 1.0)]
    public double LostRequest { get; set; }

    /// <summary>The rate of <see cref="StoreFault.LostAnswer"/>.</summary>
    [Range(0.0, 1.0)]
    public double LostAnswer { get; set; }

    /// <summary>The rate of <see cref="StoreFault.Repeated"/>.</summary>
    [Range(0.0, 1.0)]
    public double Repeated { get; set; }

    /// <summary>The rate of <see cref="StoreFault.Late"/>.</summary>
    [Range(0.0, 1.0)]
    public double Late { get; set; }

    /// <summary>The rate of <see cref="StoreFault.Busy"/>.</summary>
    [Range(0.0, 1.0)]
    public double Busy { get; set; }

    /// <summary>The rate of <see cref="StoreFault.LimitExceeded"/>.</summary>
    [Range(0.0, 1.0)]
    public double LimitExceeded { get; set; }

    internal double Sum => All().Sum(rate => rate.Rate);

    /// <summary>The fault for a random number from 0 to 1.</summary>
    internal StoreFault Pick(double roll)
    {
        foreach (var (fault, rate) in All())
        {
            if (roll < rate)
                return fault;
            roll -= rate;
        }

        return StoreFault.None;
    }

    private (StoreFault Fault, double Rate)[] All() =>
    [
        (StoreFault.Overloaded, Overloaded),
        (StoreFault.Unreachable, Unreachable),
        (StoreFault.Refused, Refused),
        (StoreFault.LostRequest, LostRequest),
        (StoreFault.LostAnswer, LostAnswer),
        (StoreFault.Repeated, Repeated),
        (StoreFault.Late, Late),
        (StoreFault.Busy, Busy),
        (StoreFault.LimitExceeded, LimitExceeded),
    ];
}

[OptionsValidator]
internal sealed partial class FaultRatesValidator : IValidateOptions<FaultRates>;
