using Stout.Argon.Amortization;

namespace Stout.Argon.Engine;

/// <summary>The core's state of one object.</summary>
internal sealed class ObjectState(int id, int disk, long length, int blockSize)
{
    /// <summary>The count of sequentially read blocks (the paper's run count, section 4.3).</summary>
    public ReadRun Run;

    public int Id { get; } = id;

    public int Disk { get; } = disk;

    /// <summary>The length in bytes.</summary>
    public long Length { get; set; } = length;

    /// <summary>The number of blocks that hold the object.</summary>
    public long Blocks => (Length + blockSize - 1) / blockSize;

    /// <summary>The dirty blocks.</summary>
    public HashSet<long> Dirty { get; } = [];

    /// <summary>The number of running requests, including device requests. A barrier waits until it is zero.</summary>
    public int Active { get; set; }

    /// <summary>Requests that wait for a block in use, or for a barrier.</summary>
    public Queue<Request> Blocked { get; } = new();

    /// <summary>The resize or forget that has started; other requests wait for its release.</summary>
    public Request? Barrier { get; set; }

    /// <summary>The error that makes later writes and flushes fail: that of a failed write-back, sync or resize, or of a deletion.</summary>
    public Exception? Broken { get; set; }

    /// <summary>
    /// The <see cref="ServiceState.Epoch"/> of the last service that streamed the object, at the time of that stream; -1 before the first stream.
    /// </summary>
    public int StreamEpoch { get; set; } = -1;

    /// <summary>The number of flushes, for profiles: a flush makes the blocks written before it clean.</summary>
    public int Flushes { get; set; }

    /// <summary>Data of the server or the simulation.</summary>
    public object? Tag { get; set; }
}
