using Stout.Director.Simulation.Workloads;
using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Answers;

/// <summary>
/// The load of a history, in reads: a write counts as the number of reads that cost a server as much. In a gap the load before it goes on; answers leave gaps out.
/// </summary>
internal sealed class HistoryWorkload : Workload
{
    private readonly ServiceHistory _history;
    private readonly double[][] _loads;
    private readonly double[] _totals;
    private readonly int _slots;

    /// <param name="history">The history.</param>
    /// <param name="writeCost">The cost of a write relative to that of a read.</param>
    /// <param name="scale">The factor of all loads.</param>
    /// <param name="slots">The number of equal parts of a divisible load.</param>
    public HistoryWorkload(ServiceHistory history, double writeCost, double scale, int slots)
    {
        (_history, _slots) = (history, history.IsDivisible ? slots : history.Bins.Count);
        _loads = new double[history.Steps][];
        var last = new double[history.Bins.Count];
        foreach (var step in Enumerable.Range(0, history.Steps))
        {
            if (double.IsFinite(history.Rate(step)))
                last = [.. history.Bins.Select(bin => scale * (bin.Reads[step] + writeCost * bin.Writes[step]))];
            _loads[step] = last;
        }

        _totals = [.. _loads.Select(load => load.Sum())];
        GetShare = 1;
    }

    /// <inheritdoc/>
    public override int Bins => _slots;

    /// <summary>The highest load of a step.</summary>
    public double Peak => _totals.Max();

    /// <inheritdoc/>
    public override double Rate(double seconds) => _totals[Index(seconds)];

    /// <inheritdoc/>
    public override long ShapeVersion(double seconds) => _history.IsDivisible ? 0 : Index(seconds);

    /// <inheritdoc/>
    public override void FillShares(double seconds, Span<double> result)
    {
        var index = Index(seconds);
        for (var bin = 0; bin < result.Length; bin++)
            result[bin] = _history.IsDivisible || _totals[index] == 0 ? 1.0 / result.Length : _loads[index][bin] / _totals[index];
    }

    private int Index(double seconds) => Math.Clamp((int)Math.Floor(seconds / _history.StepSeconds), 0, _history.Steps - 1);
}
