namespace Stout.Argon.Caching;

/// <summary>The states of a frame of the cache.</summary>
internal enum FrameState : byte
{
    /// <summary>The frame is on the free list.</summary>
    Free,

    /// <summary>A read from the device is queued or running.</summary>
    Loading,

    /// <summary>The frame holds a block's bytes.</summary>
    Valid,

    /// <summary>The frame's block has left the map while requests still pin the frame. The last of these requests frees the frame.</summary>
    Orphan,
}
