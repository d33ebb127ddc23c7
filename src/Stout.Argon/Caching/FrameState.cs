namespace Stout.Argon.Caching;

/// <summary>The states of a frame of the cache.</summary>
internal enum FrameState : byte
{
    /// <summary>Nothing: the frame is on the free list.</summary>
    Free,

    /// <summary>A read from the device is queued or under way.</summary>
    Loading,

    /// <summary>A block's bytes.</summary>
    Valid,

    /// <summary>Nothing that may be read: the frame has left the map and is freed when its last holder lets go.</summary>
    Orphan,
}
