namespace Stout.Director.Tool.Fitting;

/// <summary>The latency by load of a service's servers, fitted to its history, with the range of what the history does not exclude.</summary>
/// <param name="Classes">The measurements, by load.</param>
/// <param name="WriteCost">The cost of a write relative to that of a read.</param>
/// <param name="Low">The curve of the least saturation that the measurements do not exclude.</param>
/// <param name="Best">The curve that fits best.</param>
/// <param name="High">The curve of the highest saturation.</param>
/// <param name="Error">The root mean square error of the shares of slower reads, on the scale of arcsine square roots.</param>
internal sealed record ProductionFit(IReadOnlyList<LoadClass> Classes, double WriteCost, QueueCurve Low, QueueCurve Best, QueueCurve High, double Error)
{
    // Of the highest saturation that was tried, nothing is known but that it is high.
    private const double Unknown = 8;

    /// <summary>The highest load of a class.</summary>
    public double HighestLoad => Classes[^1].Load;

    /// <summary>Whether a load of the history shows at which load the queue grows.</summary>
    public bool IsBounded => High.Saturation < Unknown * HighestLoad;

    /// <summary>Whether writes could be told apart from reads.</summary>
    public bool KnowsWrites { get; init; }

    /// <summary>The shares of reads slower than each bound: as measured up to the highest load, and as a curve beyond it.</summary>
    /// <param name="curve">One of the curves.</param>
    /// <param name="load">The load of a server in reads per second.</param>
    public double[] Slow(QueueCurve curve, double load)
    {
        if (load >= HighestLoad)
        {
            // The curve begins at the highest measurement.
            var (fitted, at, last) = (curve.Slow(load), curve.Slow(HighestLoad), Measured(HighestLoad));
            return [.. fitted.Select((share, i) => load >= curve.Saturation ? 1 : Math.Clamp(last[i] + (share - at[i]) * (1 - last[i]) / Math.Max(1 - at[i], 1e-9), last[i], 1))];
        }

        return Measured(load);
    }

    // Measured shares, which do not fall as the load grows, joined by straight lines.
    private double[] Measured(double load)
    {
        var slow = (double[])Classes[0].Slow.Clone();
        for (var i = 1; i < Classes.Count; i++)
        {
            var part = Math.Clamp((load - Classes[i - 1].Load) / (Classes[i].Load - Classes[i - 1].Load), 0, 1);
            for (var j = 0; j < slow.Length; j++)
                slow[j] += part * Math.Max(0, Classes[i].Slow[j] - slow[j]);
            if (load <= Classes[i].Load)
                break;
        }

        return slow;
    }
}
