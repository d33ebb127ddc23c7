using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Experiments.Devices;

/// <summary>A model of a cloud disk, which caps requests per second and bytes per second. A request ends as soon as the caps permit.</summary>
internal sealed class CloudDisk(double requestsPerSecond, double bytesPerSecond) : IDeviceModel
{
    private readonly Queue<(DiskIo Io, TimeSpan At)> _served = new();
    private TimeSpan _free;

    public string Name => "cloud";

    public DeviceCost Cost { get; } = new(TimeSpan.FromSeconds(1 / requestsPerSecond), bytesPerSecond);

    public TimeSpan? Next => _served.TryPeek(out var first) ? first.At : null;

    public void Submit(DiskIo io, long address, long bytes, TimeSpan now)
    {
        var time = TimeSpan.FromSeconds(Math.Max(1 / requestsPerSecond, bytes / bytesPerSecond));
        _free = (_free > now ? _free : now) + time;
        _served.Enqueue((io, _free));
    }

    public DiskIo Complete() => _served.Dequeue().Io;
}
