namespace Stout.Argon.Engine;

/// <summary>
/// A caller's request for at most <see cref="MaxBlocks"/> blocks. When it is <see cref="Done"/>, the caller copies from or into its frames and
/// hands it back by <see cref="ArgonCore.Release"/>.
/// </summary>
internal sealed class Request
{
    /// <summary>Larger requests are split by the shell, so that one request always fits into the smallest partition.</summary>
    public const int MaxBlocks = 32;

    public RequestKind Kind { get; set; }

    public ServiceState Service { get; set; } = null!;

    public ObjectState Object { get; set; } = null!;

    public long First { get; set; }

    public int Count { get; set; }

    /// <summary>The pinned frames, in the blocks' order.</summary>
    public int[] Frames { get; } = new int[MaxBlocks];

    /// <summary>Bit i: frame i holds no block yet, and a write that covers it in part has to zero it.</summary>
    public uint Fresh { get; set; }

    /// <summary>The write does not cover its first block.</summary>
    public bool PartialFirst { get; set; }

    /// <summary>The write does not cover its last block.</summary>
    public bool PartialLast { get; set; }

    /// <summary>The object's length in bytes after a write or a resize.</summary>
    public long Length { get; set; }

    /// <summary>Device requests that have to end first.</summary>
    public int Remaining { get; set; }

    public bool Done { get; set; }

    /// <summary>Its frames are pinned, or its writes are on their way.</summary>
    public bool Started { get; set; }

    /// <summary>The sync of a flush has been queued.</summary>
    public bool Syncing { get; set; }

    /// <summary>It read from the device or waited for it.</summary>
    public bool Missed { get; set; }

    public Exception? Error { get; set; }

    public TimeSpan StartedAt { get; set; }

    /// <summary>The shell's or the simulation's own data.</summary>
    public object? Tag { get; set; }

    public void Reset()
    {
        (Fresh, Remaining, Length) = (0, 0, 0);
        Done = Started = Syncing = Missed = PartialFirst = PartialLast = false;
        Error = null;
        Tag = null;
    }
}
