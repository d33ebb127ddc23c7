using Stout.Storage;

namespace Stout.Lanes.Core;

/// <summary>
/// One question to the store: whether a key still has its handle's owner. All callers join before the question is sent, so the answer is recent enough for
/// every caller.
/// </summary>
internal sealed class OwnerCheck(KeyHandle handle)
{
    /// <summary>The messages of the callers. A field, since the queue is a mutable struct.</summary>
    public MessageQueue Waiters;

    public KeyHandle Handle { get; } = handle;

    /// <summary>The handle's version when the question was sent.</summary>
    public Stamp Seen { get; set; }

    /// <summary>The number of attempts without a certain answer.</summary>
    public int Attempts { get; set; }

    /// <summary>The reason why the last attempt had no certain answer, or null.</summary>
    public Exception? Cause { get; set; }

    /// <summary>Whether the callers have been answered.</summary>
    public bool IsOver { get; set; }
}
