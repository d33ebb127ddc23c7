namespace Stout.Lanes;

/// <summary>
/// A change of one key with all its bytes, and the message that waits until it is durable: one item of the lane's intake. The lane
/// asks no callback for it.
/// </summary>
internal abstract class PushedChange : Message
{
    /// <summary>Whether the whole object goes before the change's parts are set.</summary>
    public bool DeletesObject { get; init; }

    /// <summary>The first of the chain of changed parts.</summary>
    public PushedPart? First { get; protected set; }

    /// <summary>
    /// The change is durable, or has failed for the reason in <see cref="Message.Failure"/>. Runs on the lane's loop: runs nothing that an
    /// application has written, waits for nothing, throws nothing.
    /// </summary>
    public abstract void Released();
}
