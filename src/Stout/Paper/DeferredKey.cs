using Stout.Lanes.Core;

namespace Stout.Paper;

/// <summary>A key that the Serialize callback has deferred. It is deferred while its <see cref="PendingWork.Late"/> is this object.</summary>
internal sealed class DeferredKey(PendingWork work)
{
    public PendingWork Work => work;

    /// <summary>Whether the key was marked again, or has failed.</summary>
    public bool IsOver => work.Late != this || work.Handle.IsClosed;
}
