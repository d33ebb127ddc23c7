using Stout.Argon.Amortization;

namespace Stout.Argon.Engine;

/// <summary>The core's state of one object.</summary>
internal sealed class ObjectState(int id, int disk, long length, int blockSize)
{
    /// <summary>The run count (the paper, section 4.3).</summary>
    public ReadRun Run;

    public int Id { get; } = id;

    public int Disk { get; } = disk;

    /// <summary>The length in bytes.</summary>
    public long Length { get; set; } = length;

    /// <summary>The blocks that hold it.</summary>
    public long Blocks => (Length + blockSize - 1) / blockSize;

    /// <summary>The dirty blocks.</summary>
    public HashSet<long> Dirty { get; } = [];

    /// <summary>Running requests, including device requests. A barrier waits for zero.</summary>
    public int Active { get; set; }

    /// <summary>Requests that wait for a block in use, or for a barrier.</summary>
    public Queue<Request> Blocked { get; } = new();

    /// <summary>A waiting or running resize or forget; later requests wait behind it.</summary>
    public Request? Barrier { get; set; }

    /// <summary>The error that makes flushes fail: of a write-back or a sync.</summary>
    public Exception? Broken { get; set; }

    /// <summary>The epoch of the last service's profile in which this object was streamed.</summary>
    public int StreamEpoch { get; set; } = -1;

    /// <summary>The number of flushes, for the profile: blocks written before one are clean after it.</summary>
    public int Flushes { get; set; }

    /// <summary>The shell's or the simulation's own data.</summary>
    public object? Tag { get; set; }
}
