using System.Runtime.InteropServices;

namespace Stout.Experiments.Model;

/// <summary>The latest departures of batches, at most 8,192, and the batching interval before each.</summary>
internal sealed class DepartureLog
{
    private const int Most = 8192;

    private readonly List<(TimeSpan At, TimeSpan Interval)> _departures = [];

    public void Add(TimeSpan at, TimeSpan interval)
    {
        if (_departures.Count == Most)
            _departures.RemoveRange(0, Most / 2);
        _departures.Add((at, interval));
    }

    /// <summary>The interval before the departure with which a request left; the oldest known interval if that departure was dropped.</summary>
    public TimeSpan IntervalBefore(TimeSpan sentAt)
    {
        var departures = CollectionsMarshal.AsSpan(_departures);
        var (from, to) = (0, departures.Length - 1);
        while (from < to)
        {
            var middle = (from + to + 1) / 2;
            if (departures[middle].At <= sentAt)
                from = middle;
            else
                to = middle - 1;
        }

        return departures[from].Interval;
    }
}
