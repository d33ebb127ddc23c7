using Stout.Director.Loads;

namespace Stout.Director.Simulation.Workloads;

/// <summary>The clients' load on the simulated cluster: a rate over time and its distribution over the bins.</summary>
public abstract class Workload
{
    /// <summary>The number of bins.</summary>
    public abstract int Bins { get; }

    /// <summary>The share of gets among the requests of all bins over the whole run, from 0 to 1. Default: 0.95 (the paper's table 1).</summary>
    public double GetShare { get; init; } = 0.95;

    /// <summary>The length of the measured run.</summary>
    public required TimeSpan Length { get; init; }

    /// <summary>The clients' requests per second of all bins together.</summary>
    /// <param name="seconds">The time since the measured run began; negative while it warms up.</param>
    /// <returns>Requests per second.</returns>
    public abstract double Rate(double seconds);

    /// <summary>A number that changes whenever the result of <see cref="FillShares"/> or <see cref="FillGetShares"/> changes.</summary>
    /// <param name="seconds">The time.</param>
    /// <returns>The number.</returns>
    public virtual long ShapeVersion(double seconds) => 0;

    /// <summary>The distribution over the bins.</summary>
    /// <param name="seconds">The time.</param>
    /// <param name="result">Receives a share for each bin; they add up to 1.</param>
    public abstract void FillShares(double seconds, Span<double> result);

    /// <summary>The share of gets among the requests of each bin. Default: <see cref="GetShare"/> for every bin.</summary>
    /// <param name="seconds">The time.</param>
    /// <param name="result">Receives a share for each bin, from 0 to 1.</param>
    public virtual void FillGetShares(double seconds, Span<double> result) => result.Fill(GetShare);

    /// <summary>The requests per second of all bins together, by operation.</summary>
    /// <param name="seconds">The time.</param>
    /// <returns>The rates.</returns>
    internal OperationRates Total(double seconds)
    {
        var (shares, gets) = (new double[Bins], new double[Bins]);
        FillShares(seconds, shares);
        FillGetShares(seconds, gets);
        var rate = Rate(seconds);
        var share = shares.Zip(gets, (part, isGet) => part * isGet).Sum();
        return new OperationRates(rate * share, rate * (1 - share));
    }
}
