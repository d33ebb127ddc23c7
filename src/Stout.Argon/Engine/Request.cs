namespace Stout.Argon.Engine;

/// <summary>
/// A caller's request for at most <see cref="MaxBlocks"/> blocks. When the request is <see cref="Done"/>, the caller copies from or into its frames, and
/// returns the request with <see cref="ArgonCore.Release"/>.
/// </summary>
internal sealed class Request
{
    /// <summary>The most blocks of a request. Larger reads and writes are split into several requests, so that each fits into the smallest partition.</summary>
    public const int MaxBlocks = 32;

    public RequestKind Kind { get; set; }

    public ServiceState Service { get; set; } = null!;

    public ObjectState Object { get; set; } = null!;

    public long First { get; set; }

    public int Count { get; set; }

    /// <summary>The pinned frames, in the blocks' order.</summary>
    public int[] Frames { get; } = new int[MaxBlocks];

    /// <summary>If bit i is set, frame i held no block before, and a partial write must zero the rest of the frame.</summary>
    public uint Fresh { get; set; }

    /// <summary>Whether the write covers its first block in part.</summary>
    public bool PartialFirst { get; set; }

    /// <summary>Whether the write covers its last block in part.</summary>
    public bool PartialLast { get; set; }

    /// <summary>The object's length in bytes after a write or a resize; the bytes of data that an allocation has to reach.</summary>
    public long Length { get; set; }

    /// <summary>
    /// The estimated disk time of one of the blocks without a cache, in seconds. <see cref="Sequential"/> is whether the block continues a sequence, so that an
    /// access of the largest size shares its positioning with its neighbors.
    /// </summary>
    public double BlockCost { get; set; }

    public bool Sequential { get; set; }

    /// <summary>Whether the request was done as soon as it began: it took the time of a cache hit.</summary>
    public bool Hit { get; set; }

    /// <summary>The number of device requests for which the request waits.</summary>
    public int Remaining { get; set; }

    public bool Done { get; set; }

    /// <summary>Whether the request has started, so that it no longer waits for blocks, frames or a barrier.</summary>
    public bool Started { get; set; }

    /// <summary>Whether the sync of a flush has been queued.</summary>
    public bool Syncing { get; set; }

    /// <summary>Whether the request had to load a block, or waited for a device request.</summary>
    public bool Missed { get; set; }

    /// <summary>Whether no caller waits for the request any more: it is released as soon as it is done.</summary>
    public bool Abandoned { get; set; }

    public Exception? Error { get; set; }

    /// <summary>The error of all requests that come after a forget.</summary>
    public Exception? Reason { get; set; }

    /// <summary>The device request of a task.</summary>
    public DiskIo? Task { get; set; }

    public TimeSpan StartedAt { get; set; }

    /// <summary>Data of the server or the simulation.</summary>
    public object? Tag { get; set; }

    public void Reset()
    {
        (Fresh, Remaining, Length) = (0, 0, 0);
        Done = Started = Syncing = Missed = PartialFirst = PartialLast = Abandoned = Hit = Sequential = false;
        Error = Reason = null;
        Task = null;
        Tag = null;
    }
}
