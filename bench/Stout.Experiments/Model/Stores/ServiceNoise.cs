namespace Stout.Experiments.Model.Stores;

/// <summary>Draws factors with mean 1 by which equal requests differ in service time.</summary>
internal static class ServiceNoise
{
    /// <summary>No noise.</summary>
    public static Func<double> Constant { get; } = static () => 1;

    /// <summary>Uniformly distributed from 1 − <paramref name="spread"/> to 1 + <paramref name="spread"/>.</summary>
    public static Func<double> Uniform(double spread, Random random) => () => 1 + (spread * ((2 * random.NextDouble()) - 1));

    /// <summary>The exponential of a normal variable with standard deviation <paramref name="sigma"/>.</summary>
    public static Func<double> Lognormal(double sigma, Random random) => () => Math.Exp((sigma * Normal(random)) - (sigma * sigma / 2));

    /// <summary>A share of the requests takes <paramref name="times"/> times as long as the others.</summary>
    public static Func<double> Bimodal(double share, double times, Random random)
    {
        var quick = 1 / (1 - share + (share * times));
        return () => random.NextDouble() < share ? times * quick : quick;
    }

    private static double Normal(Random random) => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
