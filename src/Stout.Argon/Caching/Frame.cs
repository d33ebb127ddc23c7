using Stout.Argon.Engine;

namespace Stout.Argon.Caching;

/// <summary>The core's state of one frame of the cache. The frame's bytes are in the server's slab of native memory, at the frame's number.</summary>
internal struct Frame
{
    /// <summary>The block, by <see cref="BlockKey"/>.</summary>
    public long Key;

    /// <summary>The object that the block belongs to.</summary>
    public ObjectState? Object;

    /// <summary>The service whose partition the frame belongs to.</summary>
    public ServiceState? Owner;

    /// <summary>The device request that contains the frame: a load, or a write-back that is queued or running.</summary>
    public DiskIo? Io;

    /// <summary>The number of requests that copy from or into the frame, or wait for its load.</summary>
    public int Pins;

    public FrameState State;

    /// <summary>Whether the frame's bytes are newer than those on the device.</summary>
    public bool Dirty;

    /// <summary>Whether the device reads the frame's bytes for a write-back now. Write requests of the block then wait.</summary>
    public bool WritingBack;

    /// <summary>Whether a write request has reserved the frame, to copy into it.</summary>
    public bool Exclusive;

    /// <summary>Whether a prefetch loaded the block, and no request has read it yet.</summary>
    public bool Prefetched;
}
