namespace Linearizability;

/// <summary>
/// The invocations and returns of ended operations, in the order of time. An operation is taken out of the list, and put back, in constant time.
/// Positions are indices of events; <see cref="End"/> is the position after the last event.
/// </summary>
internal sealed class EventList
{
    private readonly (int Operation, bool IsReturn, long Time)[] _events;
    private readonly int[] _next;
    private readonly int[] _previous;
    private readonly int[] _invocationOf;
    private readonly int[] _returnOf;

    public EventList(IReadOnlyList<Operation> operations)
    {
        // At equal times invocations come before returns, since the operations may have overlapped.
        _events = [.. operations.SelectMany((operation, i) => new[] { (i, false, operation.Invoked), (i, true, operation.Returned) })
            .OrderBy(one => one.Item3).ThenBy(one => one.Item2)];
        _next = [.. Enumerable.Range(1, _events.Length), 0];
        _previous = [_events.Length, .. Enumerable.Range(0, _events.Length)];
        _invocationOf = new int[operations.Count];
        _returnOf = new int[operations.Count];
        for (var i = 0; i < _events.Length; i++)
            (_events[i].IsReturn ? _returnOf : _invocationOf)[_events[i].Operation] = i;
    }

    /// <summary>The position of the sentinel: the list is a ring, so this position comes after the last event and before the first one.</summary>
    public int End => _events.Length;

    public int First => _next[End];

    public int Next(int position) => _next[position];

    public (int Operation, bool IsReturn, long Time) this[int position] => _events[position];

    /// <summary>The position of an operation's invocation.</summary>
    public int InvocationOf(int operation) => _invocationOf[operation];

    /// <summary>Takes an operation's events out of the list.</summary>
    public void Lift(int operation)
    {
        Unlink(_invocationOf[operation]);
        Unlink(_returnOf[operation]);
    }

    /// <summary>Puts an operation's events back. The operation must be the last one that was taken out and is not back yet.</summary>
    public void PutBack(int operation)
    {
        Link(_returnOf[operation]);
        Link(_invocationOf[operation]);
    }

    /// <summary>The time of the first return in the list; <see cref="Operation.Never"/> if the list is empty.</summary>
    public long FirstReturn()
    {
        for (var position = First; position != End; position = Next(position))
        {
            if (_events[position].IsReturn)
                return _events[position].Time;
        }

        return Operation.Never;
    }

    private void Unlink(int position)
    {
        _next[_previous[position]] = _next[position];
        _previous[_next[position]] = _previous[position];
    }

    private void Link(int position)
    {
        _next[_previous[position]] = position;
        _previous[_next[position]] = position;
    }
}
