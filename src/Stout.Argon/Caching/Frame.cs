using Stout.Argon.Engine;

namespace Stout.Argon.Caching;

/// <summary>The core's state of one frame. The bytes are in the shell's slab, at the frame's number.</summary>
internal struct Frame
{
    /// <summary>The block, by <see cref="BlockKey"/>.</summary>
    public long Key;

    /// <summary>The service whose partition the frame belongs to.</summary>
    public ServiceState? Owner;

    /// <summary>The device request that contains the frame: a load, or a write-back that is queued or running.</summary>
    public DiskIo? Io;

    /// <summary>The requests that copy from or into the frame, or wait for its load.</summary>
    public int Pins;

    public FrameState State;

    /// <summary>Whether the frame is newer than the device.</summary>
    public bool Dirty;

    /// <summary>Whether the device reads the frame now, so that writers wait.</summary>
    public bool WritingBack;

    /// <summary>Whether a writer copies into the frame now.</summary>
    public bool Exclusive;

    /// <summary>Whether a prefetch loaded the block, and no request has read it yet.</summary>
    public bool Prefetched;
}
