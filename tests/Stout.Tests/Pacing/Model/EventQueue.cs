namespace Stout.Tests.Pacing.Model;

/// <summary>Virtual time and its future events. Events of one moment run in the order in which they were scheduled.</summary>
internal sealed class EventQueue
{
    private readonly PriorityQueue<Action, (TimeSpan At, long Order)> _events = new();
    private long _scheduled;

    public TimeSpan Now { get; private set; }

    public void Schedule(TimeSpan at, Action action) => _events.Enqueue(action, (at < Now ? Now : at, _scheduled++));

    public void RunUntil(TimeSpan end)
    {
        while (_events.TryPeek(out var action, out var due) && due.At <= end)
        {
            _events.Dequeue();
            Now = due.At;
            action();
        }

        Now = end;
    }
}
