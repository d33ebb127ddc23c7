using Stout.Director.Simulation.Running;

namespace Stout.Director.Simulation.Training;

/// <summary>Latencies of gets over one interval, counted by the millisecond.</summary>
internal sealed record Latencies(int[] Counts)
{
    /// <summary>The mean in seconds.</summary>
    public double Mean { get; init; }

    public static Latencies Sum(IEnumerable<Latencies> parts)
    {
        int[]? sum = null;
        foreach (var part in parts)
        {
            sum ??= new int[part.Counts.Length];
            for (var i = 0; i < sum.Length; i++)
                sum[i] += part.Counts[i];
        }

        return new Latencies(sum ?? []);
    }

    /// <summary>A percentile in seconds.</summary>
    public double Percentile(double share) => ExactEngine.Percentile(Counts, share);

    /// <summary>The share slower than a threshold in seconds.</summary>
    public double SlowerThan(double threshold)
    {
        var from = (int)Math.Round(threshold * 1000);
        long slow = 0, all = 0;
        for (var i = 0; i < Counts.Length; i++)
        {
            all += Counts[i];
            if (i >= from)
                slow += Counts[i];
        }

        return all > 0 ? (double)slow / all : 0;
    }
}
