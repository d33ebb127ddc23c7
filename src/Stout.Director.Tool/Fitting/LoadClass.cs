namespace Stout.Director.Tool.Fitting;

/// <summary>Samples of about the same load.</summary>
/// <param name="Load">Their mean load in reads per second.</param>
/// <param name="Slow">For each bucket's upper bound: their mean share of slower reads.</param>
/// <param name="Variance">For each bound: the variance of that share from sample to sample, of one server.</param>
/// <param name="Samples">Their number.</param>
internal sealed record LoadClass(double Load, double[] Slow, double[] Variance, int Samples)
{
    private const int Most = 20;
    private const int LeastSamples = 3;

    /// <summary>Divides samples into at most 20 classes of equally wide ranges of load.</summary>
    public static List<LoadClass> Of(IReadOnlyList<LoadSampleOfServer> samples, double writeCost)
    {
        var most = samples.Max(sample => sample.Load(writeCost));
        var classes = samples
            .GroupBy(sample => Math.Min(Most - 1, (int)(Most * sample.Load(writeCost) / most)))
            .Where(group => group.Count() >= LeastSamples)
            .OrderBy(group => group.Key)
            .Select(group => Of([.. group], writeCost))
            .ToList();
        return classes;
    }

    private static LoadClass Of(List<LoadSampleOfServer> samples, double writeCost)
    {
        var weight = samples.Sum(sample => sample.Reads);
        var slow = new double[samples[0].Slow.Length];
        var variance = new double[slow.Length];
        for (var i = 0; i < slow.Length; i++)
        {
            slow[i] = samples.Sum(sample => sample.Reads * sample.Slow[i]) / weight;
            variance[i] = samples.Sum(sample => sample.Reads * sample.Servers * Math.Pow(sample.Slow[i] - slow[i], 2)) / weight;
        }

        return new LoadClass(samples.Average(sample => sample.Load(writeCost)), slow, variance, samples.Count);
    }
}
