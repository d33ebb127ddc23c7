using Stout.Argon.Engine;

namespace Stout.Argon.Devices;

/// <summary>Caps the requests and the bytes per second of a device: a request takes max(1/requests, size/bytes) of the device's time.</summary>
/// <param name="device">The device.</param>
/// <param name="requestsPerSecond">The most requests per second; infinity for no cap.</param>
/// <param name="bytesPerSecond">The most bytes per second; infinity for no cap.</param>
/// <param name="time">The clock.</param>
internal sealed class CappedDevice(IDevice device, double requestsPerSecond, double bytesPerSecond, TimeProvider time) : IDevice
{
    private readonly Lock _gate = new();
    private readonly long _started = time.GetTimestamp();
    private TimeSpan _free;

    public void Carry(DiskIo io, NativeSlab slab)
    {
        var end = Book((long)io.Frames.Count * ArgonOptions.BlockSize, time.GetElapsedTime(_started));
        device.Carry(io, slab);
        var wait = end - time.GetElapsedTime(_started);
        if (wait <= TimeSpan.Zero)
            return;
        var due = new ManualResetEventSlim();
        using var timer = time.CreateTimer(static due => ((ManualResetEventSlim)due!).Set(), due, wait, Timeout.InfiniteTimeSpan);
        due.Wait();
    }

    /// <summary>Reserves the next free span of the device's time.</summary>
    /// <returns>The end of the span, before which the request must not complete.</returns>
    internal TimeSpan Book(long bytes, TimeSpan now)
    {
        var time = TimeSpan.FromSeconds(Math.Max(1 / requestsPerSecond, bytes / bytesPerSecond));
        lock (_gate)
            return _free = (_free > now ? _free : now) + time;
    }
}
