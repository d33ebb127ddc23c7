namespace Linearizability;

/// <summary>
/// The invocations and returns of operations that have ended, by time, as a list from which an operation is lifted and to which it is put back
/// in constant time. Positions are indices; <see cref="End"/> is after the last.
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
        // At one moment invocations come first: the operations may have overlapped.
        _events = [.. operations.SelectMany((operation, i) => new[] { (i, false, operation.Invoked), (i, true, operation.Returned) })
            .OrderBy(one => one.Item3).ThenBy(one => one.Item2)];
        _next = [.. Enumerable.Range(1, _events.Length), 0];
        _previous = [_events.Length, .. Enumerable.Range(0, _events.Length)];
        _invocationOf = new int[operations.Count];
        _returnOf = new int[operations.Count];
        for (var i = 0; i < _events.Length; i++)
            (_events[i].IsReturn ? _returnOf : _invocationOf)[_events[i].Operation] = i;
    }

    /// <summary>The list is a ring, and this its sentinel.</summary>
    public int End => _events.Length;

    public int First => _next[End];

    public int Next(int position) => _next[position];

    public (int Operation, bool IsReturn, long Time) this[int position] => _events[position];

    /// <summary>Where an operation's invocation is.</summary>
    public int InvocationOf(int operation) => _invocationOf[operation];

    /// <summary>Takes an operation's events out.</summary>
    public void Lift(int operation)
    {
        Unlink(_invocationOf[operation]);
        Unlink(_returnOf[operation]);
    }

    /// <summary>Puts the events back of the operation that was lifted last and is not back yet.</summary>
    public void PutBack(int operation)
    {
        Link(_returnOf[operation]);
        Link(_invocationOf[operation]);
    }

    /// <summary>When the first of the operations in the list returns.</summary>
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
