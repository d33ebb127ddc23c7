namespace Stout.Experiments.Measuring;

/// <summary>Student's t distribution, as far as 95 % intervals need it.</summary>
internal static class StudentsT
{
    private static readonly double[] Quantiles =
    [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
    ];

    /// <summary>What 97.5 % of the distribution lie below. Beyond 30 degrees the value of 30: on the safe side.</summary>
    /// <param name="degrees">Degrees of freedom; 1 or more.</param>
    public static double Quantile975(int degrees) => Quantiles[Math.Min(degrees, Quantiles.Length) - 1];
}
