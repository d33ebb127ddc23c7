namespace Stout.Experiments.Live;

/// <summary>The scheduled actions of a run, in addition to its load.</summary>
internal sealed class Agenda
{
    private readonly PriorityQueue<Action<TimeSpan>, TimeSpan> _entries = new();

    public void Add(TimeSpan at, Action<TimeSpan> action) => _entries.Enqueue(action, at);

    /// <summary>Repeats an action, first after one step.</summary>
    public void AddEvery(TimeSpan step, Action<TimeSpan> action)
    {
        Next(step);

        void Next(TimeSpan at) => Add(at, now =>
        {
            action(now);
            Next(at + step);
        });
    }

    /// <summary>Runs the actions that are due.</summary>
    public void Advance(TimeSpan now)
    {
        while (_entries.TryPeek(out var action, out var at) && at <= now)
        {
            _entries.Dequeue();
            action(now);
        }
    }
}
