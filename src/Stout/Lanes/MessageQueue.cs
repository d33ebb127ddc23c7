namespace Stout.Lanes;

/// <summary>Messages of one key in the order of their calls: a ring of nodes, known by its last.</summary>
internal struct MessageQueue
{
    private Message? _last;

    public readonly bool IsEmpty => _last is null;

    /// <summary>The last message, which the first comes after; null if there is none.</summary>
    public readonly Message? Last => _last;

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

    /// <summary>Puts the messages of <paramref name="later"/> behind these, and empties it.</summary>
    public void Append(ref MessageQueue later)
    {
        if (later._last is null)
            return;
        if (_last is not null)
            (_last.Next, later._last.Next) = (later._last.Next, _last.Next);
        _last = later._last;
        later._last = null;
    }

    /// <summary>Empties the queue into a chain that ends with null.</summary>
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
