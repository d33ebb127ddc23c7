using Stout.Argon.Scheduling;

namespace Stout.Argon.Engine;

/// <summary>A command to the shell: one request to one device. The shell reports its end with <see cref="ArgonCore.IoDone"/>.</summary>
internal sealed class DiskIo
{
    public DiskIoKind Kind { get; set; }

    public ObjectState Object { get; set; } = null!;

    /// <summary>The service that is charged.</summary>
    public ServiceState Service { get; set; } = null!;

    /// <summary>The first block; contiguous ones follow.</summary>
    public long First { get; set; }

    /// <summary>The frames of the blocks, in order.</summary>
    public List<int> Frames { get; } = [];

    /// <summary>The new length in bytes of <see cref="DiskIoKind.Resize"/>, and the length that <see cref="DiskIoKind.Sync"/> makes durable.</summary>
    public long Length { get; set; }

    /// <summary>Requests that continue when this one ends. Each counts the device requests that it waits for.</summary>
    public List<Request> Waiters { get; } = [];

    /// <summary>The queue in which it waits, or from which it was issued.</summary>
    public ServiceQueue? Queue { get; set; }

    /// <summary>The expected device time of the request alone.</summary>
    public TimeSpan Estimate { get; set; }

    /// <summary>The estimate, corrected by the averages over the service's quanta when it was issued.</summary>
    public TimeSpan Expected { get; set; }

    /// <summary>Whether the device has to position, since the request does not continue the one before it.</summary>
    public bool Positions { get; set; }

    /// <summary>The time when the device received it.</summary>
    public TimeSpan IssuedAt { get; set; }

    /// <summary>A number for the shell or the simulation.</summary>
    public long Tag { get; set; }

    public void Reset()
    {
        Frames.Clear();
        Waiters.Clear();
        Queue = null;
        Length = 0;
        Tag = 0;
    }
}
