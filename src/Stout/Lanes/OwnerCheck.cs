using Stout.Storage;

namespace Stout.Lanes;

/// <summary>One question to the store: whether a key still has its handle's owner. Its waiters have asked before it is sent.</summary>
internal sealed class OwnerCheck(KeyHandle handle)
{
    /// <summary>The callers. Assigned to, and so a field.</summary>
    public MessageQueue Waiters;

    public KeyHandle Handle { get; } = handle;

    /// <summary>The handle's version when the question was sent.</summary>
    public Stamp Seen { get; set; }

    /// <summary>How many questions had no certain answer.</summary>
    public int Attempts { get; set; }

    /// <summary>The reason why the last question had no certain answer, or null.</summary>
    public Exception? Cause { get; set; }

    /// <summary>Whether its waiters have been answered.</summary>
    public bool IsOver { get; set; }
}
