using System.Diagnostics;

namespace Stout.Lanes.Core;

/// <summary>
/// A change of one key with all its bytes, and its message. It takes one item of the lane's intake and needs no Serialize callback.
/// </summary>
[DebuggerDisplay("{PartCount} parts, {Bytes} bytes, deletes: {DeletesObject}")]
internal abstract class PushedChange : Message
{
    /// <summary>Whether the change deletes the whole object before it sets its parts.</summary>
    public bool DeletesObject { get; init; }

    /// <summary>The head of the linked list of changed parts.</summary>
    public PushedPart? First { get; protected set; }

    /// <summary>The number of changed parts.</summary>
    public int PartCount { get; protected set; }

    /// <summary>The size of the changed parts in bytes.</summary>
    public long Bytes { get; protected set; }
}
