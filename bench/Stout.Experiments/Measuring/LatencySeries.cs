using System.Runtime.InteropServices;

namespace Stout.Experiments.Measuring;

/// <summary>Mean and largest latency over time, by the time of the reply, in steps of a fixed length.</summary>
internal sealed class LatencySeries(TimeSpan step)
{
    private readonly List<Cell> _cells = [];

    public TimeSpan Step => step;

    /// <summary>The number of steps until the last reply.</summary>
    public int Count => _cells.Count;

    public void Add(TimeSpan at, TimeSpan latency)
    {
        var index = (int)(at.Ticks / step.Ticks);
        if (index >= _cells.Count)
            CollectionsMarshal.SetCount(_cells, index + 1);
        ref var cell = ref CollectionsMarshal.AsSpan(_cells)[index];
        cell.Count++;
        cell.Ticks += latency.Ticks;
        cell.MaxTicks = Math.Max(cell.MaxTicks, latency.Ticks);
    }

    /// <summary>The number of replies within a span, its ends rounded to whole steps.</summary>
    public long CountBetween(TimeSpan from, TimeSpan to) => Sum(from, to).Count;

    /// <summary>The mean latency over a span in milliseconds, its ends rounded to whole steps; NaN without replies.</summary>
    public double Mean(TimeSpan from, TimeSpan to)
    {
        var sum = Sum(from, to);
        return sum.Count == 0 ? double.NaN : (double)sum.Ticks / sum.Count / TimeSpan.TicksPerMillisecond;
    }

    /// <summary>
    /// The median of the steps' means over a span in milliseconds, its ends rounded to whole steps; NaN without replies. A pause shorter than half of the
    /// span does not change the result.
    /// </summary>
    public double MedianOfSteps(TimeSpan from, TimeSpan to)
    {
        var means = new List<double>();
        for (var at = from; at + step <= to; at += step)
        {
            if (CountBetween(at, at + step) > 0)
                means.Add(Mean(at, at + step));
        }

        means.Sort();
        return means.Count == 0 ? double.NaN : means[(means.Count - 1) / 2];
    }

    /// <summary>The largest latency over a span in milliseconds, its ends rounded to whole steps; 0 without replies.</summary>
    public double Max(TimeSpan from, TimeSpan to) => (double)Sum(from, to).MaxTicks / TimeSpan.TicksPerMillisecond;

    private Cell Sum(TimeSpan from, TimeSpan to)
    {
        var first = Math.Max(0, (int)Math.Round(from / step));
        var end = Math.Min(_cells.Count, (int)Math.Round(to / step));
        var sum = default(Cell);
        for (var i = first; i < end; i++)
        {
            sum.Count += _cells[i].Count;
            sum.Ticks += _cells[i].Ticks;
            sum.MaxTicks = Math.Max(sum.MaxTicks, _cells[i].MaxTicks);
        }

        return sum;
    }

    private struct Cell
    {
        public long Count;
        public long Ticks;
        public long MaxTicks;
    }
}
