namespace Stout.Testing;

/// <summary>How often each fault happens: each rate from 0 (never, the default) to 1 (always), together at most 1.</summary>
public sealed record FaultRates
{
    /// <summary>No fault.</summary>
    public static FaultRates None { get; } = new();

    /// <summary>The rate of <see cref="StoreFault.Overloaded"/>.</summary>
    public double Overloaded { get; init; }

    /// <summary>The rate of <see cref="StoreFault.Unreachable"/>.</summary>
    public double Unreachable { get; init; }

    /// <summary>The rate of <see cref="StoreFault.Refused"/>.</summary>
    public double Refused { get; init; }

    /// <summary>The rate of <see cref="StoreFault.LostRequest"/>.</summary>
    public double LostRequest { get; init; }

    /// <summary>The rate of <see cref="StoreFault.LostAnswer"/>.</summary>
    public double LostAnswer { get; init; }

    /// <summary>The rate of <see cref="StoreFault.Repeated"/>.</summary>
    public double Repeated { get; init; }

    /// <summary>The rate of <see cref="StoreFault.Late"/>.</summary>
    public double Late { get; init; }

    /// <summary>The rate of <see cref="StoreFault.Busy"/>.</summary>
    public double Busy { get; init; }

    /// <summary>The rate of <see cref="StoreFault.LimitExceeded"/>.</summary>
    public double LimitExceeded { get; init; }

    internal double Sum => All().Sum(rate => rate.Rate);

    /// <summary>The fault that a number from 0 to 1 stands for.</summary>
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

    /// <exception cref="InvalidOptionException">A rate is out of its range.</exception>
    internal void Validate(string name)
    {
        foreach (var (fault, rate) in All())
            CheckRate($"{name}.{fault}", rate);
        if (Sum > 1 + 1e-9)
            throw new InvalidOptionException(name, $"{Sum} in all", "the rates can't exceed 1 together");
    }

    internal static void CheckRate(string name, double rate)
    {
        if (!(rate is >= 0 and <= 1))
            throw new InvalidOptionException(name, rate, "it must lie between 0 and 1");
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
