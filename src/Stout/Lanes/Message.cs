namespace Stout.Lanes;

/// <summary>A message that waits for its key to be safe; a node of the lists it waits in, so that waiting allocates nothing more.</summary>
internal abstract class Message
{
    /// <summary>The next message of the same key, in the order of their calls.</summary>
    public Message? Next;

    /// <summary>Why what the message depends on will never be durable; null while it may be, and when it is.</summary>
    public StoutException? Failure;
}
