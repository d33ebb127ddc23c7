namespace Stout.Lanes.Core;

/// <summary>The messages of one key in call order, as a circular list referenced by its last node.</summary>
internal struct MessageQueue
{
    private Message? _last;

    public readonly bool IsEmpty => _last is null;

    /// <summary>The last message, or null.</summary>
    public readonly Message? Last => _last;

    /// <summary>The first message, or null.</summary>
    public readonly Message? First => _last?.Next;

    public void Enqueue(Message message)
    {
        if (_last is null)
        {
            message.Next = message;
        }
        else
        {
            message.Next = _last.Next;
            _last.Next = message;
        }

        _last = message;
    }

    /// <summary>Moves the messages of <paramref name="later"/> to the end of this queue.</summary>
    public void Append(ref MessageQueue later)
    {
        if (later._last is null)
            return;
        if (_last is not null)
            (_last.Next, later._last.Next) = (later._last.Next, _last.Next);
        _last = later._last;
        later._last = null;
    }

    /// <summary>Removes the first message, which must exist.</summary>
    public Message Dequeue()
    {
        var first = _last!.Next!;
        if (ReferenceEquals(first, _last))
            _last = null;
        else
            _last.Next = first.Next;
        first.Next = null;
        return first;
    }

    /// <summary>Empties the queue into a null-terminated chain.</summary>
    public Message? TakeAll()
    {
        if (_last is null)
            return null;
        var first = _last.Next;
        _last.Next = null;
        _last = null;
        return first;
    }
}
