namespace Stout.Argon.Engine;

/// <summary>
/// A caller's request for at most <see cref="MaxBlocks"/> blocks. When it is <see cref="Done"/>, the caller copies from or into its frames and
/// returns it with <see cref="ArgonCore.Release"/>.
/// </summary>
internal sealed class Request
{
    /// <summary>The most blocks of a request. The shell splits larger requests, so that each fits into the smallest partition.</summary>
    public const int MaxBlocks = 32;

    public RequestKind Kind { get; set; }

    public ServiceState Service { get; set; } = null!;

    public ObjectState Object { get; set; } = null!;

    public long First { get; set; }

    public int Count { get; set; }

    /// <summary>The pinned frames, in the blocks' order.</summary>
    public int[] Frames { get; } = new int[MaxBlocks];

    /// <summary>Bit i: frame i holds no block yet, and a partial write must zero it first.</summary>
    public uint Fresh { get; set; }

    /// <summary>Whether the write covers its first block in part.</summary>
    public bool PartialFirst { get; set; }

    /// <summary>Whether the write covers its last block in part.</summary>
    public bool PartialLast { get; set; }

    /// <summary>The object's length in bytes after a write or a resize.</summary>
    public long Length { get; set; }

    /// <summary>The number of device requests that must end first.</summary>
    public int Remaining { get; set; }

    public bool Done { get; set; }

    /// <summary>Whether its frames are pinned, or its writes are in progress.</summary>
    public bool Started { get; set; }

    /// <summary>Whether the sync of a flush has been queued.</summary>
    public bool Syncing { get; set; }

    /// <summary>Whether it read from the device or waited for it.</summary>
    public bool Missed { get; set; }

    public Exception? Error { get; set; }

    public TimeSpan StartedAt { get; set; }

    /// <summary>Data of the shell or the simulation.</summary>
    public object? Tag { get; set; }

    public void Reset()
    {
        (Fresh, Remaining, Length) = (0, 0, 0);
        Done = Started = Syncing = Missed = PartialFirst = PartialLast = false;
        Error = null;
        Tag = null;
    }
}
