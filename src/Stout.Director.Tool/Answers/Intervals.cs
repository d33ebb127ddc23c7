using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Answers;

/// <summary>The intervals over which the objective is judged: not shorter than a step of the history, and a multiple of the simulation's 20 s.</summary>
internal sealed class Intervals
{
    private const double Simulated = 20;

    private readonly ServiceHistory _history;
    private readonly bool[] _isUnknown;

    /// <exception cref="HistoryException">The history is shorter than one interval.</exception>
    public Intervals(ServiceHistory history, ServiceObjective objective)
    {
        _history = history;
        var seconds = Math.Max(objective.Interval.TotalSeconds, history.StepSeconds);
        Length = TimeSpan.FromSeconds(Math.Ceiling(seconds / Simulated - 1e-9) * Simulated);
        Count = (int)Math.Floor(history.Steps * history.StepSeconds / Length.TotalSeconds + 1e-9);
        if (Count == 0)
            throw new HistoryException($"The history has {history.Step * history.Steps}; the objective is judged over {Length}. Import a longer time.");
        _isUnknown = new bool[Count];
        foreach (var step in Enumerable.Range(0, history.Steps).Where(step => !double.IsFinite(history.Rate(step))))
        {
            foreach (var interval in Of(step))
                _isUnknown[interval] = true;
        }
    }

    /// <summary>The length of an interval.</summary>
    public TimeSpan Length { get; }

    /// <summary>The number of whole intervals.</summary>
    public int Count { get; }

    /// <summary>The number of intervals whose load is known.</summary>
    public int Known => _isUnknown.Count(isUnknown => !isUnknown);

    /// <summary>Whether the load of an interval is unknown.</summary>
    public bool IsUnknown(int interval) => _isUnknown[interval];

    /// <summary>The intervals that a step of the history lies in.</summary>
    public IEnumerable<int> Of(int step)
    {
        var from = (int)Math.Floor(step * _history.StepSeconds / Length.TotalSeconds + 1e-9);
        var to = (int)Math.Ceiling((step + 1) * _history.StepSeconds / Length.TotalSeconds - 1e-9);
        return Enumerable.Range(from, Math.Max(0, Math.Min(to, Count) - from));
    }
}
