using Stout.Argon.Engine;

namespace Stout.Argon.Caching;

/// <summary>The core's state of one frame. The bytes are in the shell's slab, at the frame's number.</summary>
internal struct Frame
{
    /// <summary>The block, by <see cref="BlockKey"/>.</summary>
    public long Key;

    /// <summary>The service whose partition the frame belongs to.</summary>
    public ServiceState? Owner;

    /// <summary>The device request that the frame is part of: a load, or a write-back that is queued or under way.</summary>
    public DiskIo? Io;

    /// <summary>Requests that copy from or into the frame, or wait for it to load.</summary>
    public int Pins;

    public FrameState State;

    /// <summary>The frame is newer than the device.</summary>
    public bool Dirty;

    /// <summary>The device reads the frame now: a writer has to wait.</summary>
    public bool WritingBack;

    /// <summary>A writer copies into the frame now.</summary>
    public bool Exclusive;

    /// <summary>A prefetch brought the block, and no request has asked for it yet.</summary>
    public bool Prefetched;
}
