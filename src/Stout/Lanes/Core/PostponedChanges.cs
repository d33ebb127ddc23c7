namespace Stout.Lanes.Core;

/// <summary>Changes of a key that wait until the changes before them are durable, and the messages behind these changes, in call order.</summary>
internal sealed class PostponedChanges
{
    private MessageQueue _queue;

    /// <summary>The size of the changes in bytes.</summary>
    public long Bytes { get; private set; }

    public bool IsEmpty => _queue.IsEmpty;

    public Message? First => _queue.First;

    public void Add(Message message)
    {
        _queue.Enqueue(message);
        Bytes += (message as PushedChange)?.Bytes ?? 0;
    }

    public Message Take()
    {
        var first = _queue.Dequeue();
        Bytes -= (first as PushedChange)?.Bytes ?? 0;
        return first;
    }
}
