namespace Stout.Lanes.Core;

/// <summary>A message that waits until its key's changes are durable. It is its own list node, so waiting allocates nothing more.</summary>
internal abstract class Message
{
    /// <summary>The next message of the same key, in call order.</summary>
    public Message? Next;

    /// <summary>The reason why the changes that the message depends on failed; null while they are pending and after success.</summary>
    public StoutException? Failure;
}
