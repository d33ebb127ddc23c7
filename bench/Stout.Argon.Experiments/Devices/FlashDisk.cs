using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Experiments.Devices;

/// <summary>A model of a flash disk: 32 channels, each with a queue of pages. A read waits for the earlier reads and writes of its channel.</summary>
internal sealed class FlashDisk : IDeviceModel
{
    private const int Channels = 32;
    private const long Page = 16 * 1024;
    private static readonly TimeSpan s_read = TimeSpan.FromMicroseconds(80);
    private static readonly TimeSpan s_write = TimeSpan.FromMicroseconds(400);
    private readonly TimeSpan[] _free = new TimeSpan[Channels];
    private readonly PriorityQueue<DiskIo, (TimeSpan At, long Order)> _served = new();
    private long _order;

    public string Name => "flash";

    public DeviceCost Cost { get; } = new(s_read, Channels * Page / s_read.TotalSeconds);

    public TimeSpan? Next => _served.TryPeek(out _, out var first) ? first.At : null;

    public void Submit(DiskIo io, long address, long bytes, TimeSpan now)
    {
        var end = now;
        var time = io.Kind == DiskIoKind.Read ? s_read : s_write;
        var (first, last) = (address / Page, (address + Math.Max(1, bytes) - 1) / Page);
        for (var page = first; page <= last; page++)
        {
            ref var free = ref _free[page % Channels];
            free = (free > now ? free : now) + time;
            end = free > end ? free : end;
        }

        _served.Enqueue(io, (end, _order++));
    }

    public DiskIo Complete() => _served.Dequeue();
}
