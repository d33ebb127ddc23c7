using Stout.Argon.Scheduling;

namespace Stout.Argon.Engine;

/// <summary>A command to the shell: one request to one device. It goes back to the core by <see cref="ArgonCore.IoDone"/>.</summary>
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

    /// <summary>Requests that go on when this ends. One that waits for several device requests counts them.</summary>
    public List<Request> Waiters { get; } = [];

    /// <summary>The queue that it waits in or was issued from.</summary>
    public ServiceQueue? Queue { get; set; }

    /// <summary>The time that the device is expected to need for it by itself.</summary>
    public TimeSpan Estimate { get; set; }

    /// <summary>The estimate, corrected by the averages over the service's quanta when it was issued.</summary>
    public TimeSpan Expected { get; set; }

    /// <summary>It does not continue the request before it, so the device has to position.</summary>
    public bool Positions { get; set; }

    /// <summary>When the device got it.</summary>
    public TimeSpan IssuedAt { get; set; }

    /// <summary>A number that the shell or the simulation may use.</summary>
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
