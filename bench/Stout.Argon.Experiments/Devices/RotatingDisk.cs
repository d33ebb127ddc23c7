using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Experiments.Devices;

/// <summary>
/// A rotating disk: a seek curve, rotation, tracks, and a queue that is served by the shortest positioning time. The drive reads ahead into its
/// buffer, so a read that continues the last one needs no positioning. Writes go to the medium.
/// </summary>
internal sealed class RotatingDisk(DriveData drive) : IDeviceModel
{
    /// <summary>The most bytes that the drive reads ahead.</summary>
    private const double Buffer = 8e6;

    private readonly List<(DiskIo Io, long Address, long Bytes)> _queue = [];
    private DiskIo? _serving;
    private double _head;
    private long _end = -1;
    private TimeSpan _idleSince;
    private bool _endedReading;

    public string Name => drive.Name;

    public DeviceCost Cost { get; } = new(TimeSpan.FromMilliseconds(drive.AverageSeek) + (drive.Rotation / 2), drive.BytesPerSecond);

    public TimeSpan? Next { get; private set; }

    public void Submit(DiskIo io, long address, long bytes, TimeSpan now)
    {
        _queue.Add((io, address, bytes));
        if (_serving is null)
            Serve(now);
    }

    public DiskIo Complete()
    {
        var (done, now) = (_serving!, Next!.Value);
        _serving = null;
        Next = null;
        _idleSince = now;
        if (_queue.Count > 0)
            Serve(now);
        return done;
    }

    private void Serve(TimeSpan now)
    {
        var best = -1;
        var least = TimeSpan.MaxValue;
        for (var i = 0; i < _queue.Count; i++)
        {
            // A request that begins where another queued request ends is served after that request, since operating systems merge the two.
            if (!_queue[i].Io.Positions && Continues(_queue[i].Address))
                continue;
            // A sync is served after all requests that were queued before it.
            var time = IsSync(_queue[i].Io) ? (i == 0 ? TimeSpan.Zero : TimeSpan.MaxValue) : Positioning(_queue[i].Io, _queue[i].Address, now);
            if (time < least)
                (best, least) = (i, time);
        }

        var (io, address, bytes) = _queue[best];
        _queue.RemoveAt(best);
        _serving = io;
        if (IsSync(io))
        {
            // A sync writes the file system's journal, which lies in the middle of the disk. Its record takes half a rotation, and its commit record one more
            // rotation.
            Next = now + drive.Seek(Math.Abs(_head - 0.5)) + (drive.Rotation * 1.5);
            (_head, _end) = (0.5, -1);
            return;
        }

        var transfer = TimeSpan.FromSeconds(bytes / drive.BytesPerSecond);
        if (io.Kind == DiskIoKind.Read && address == _end && _endedReading)
        {
            // The drive has read ahead since it became idle. The bytes in its buffer take no time.
            var ahead = TimeSpan.FromSeconds(Math.Min(Buffer, (now - _idleSince).TotalSeconds * drive.BytesPerSecond) / drive.BytesPerSecond);
            Next = now + (transfer > ahead ? transfer - ahead : TimeSpan.FromTicks(1));
        }
        else
        {
            Next = now + least + transfer;
        }

        _end = address + bytes;
        _head = _end / drive.Capacity;
        _endedReading = io.Kind == DiskIoKind.Read;
    }

    private bool Continues(long address)
    {
        foreach (var other in _queue)
        {
            if (other.Address + other.Bytes == address)
                return true;
        }

        return false;
    }

    private static bool IsSync(DiskIo io) => io.Kind is not (DiskIoKind.Read or DiskIoKind.Write);

    private TimeSpan Positioning(DiskIo io, long address, TimeSpan now)
    {
        if (address == _end && (io.Kind == DiskIoKind.Read ? _endedReading : now == _idleSince))
            return TimeSpan.Zero;
        var seek = drive.Seek(Math.Abs((address / drive.Capacity) - _head));
        var rotation = drive.Rotation.TotalSeconds;
        var under = (now + seek).TotalSeconds / rotation % 1;
        var wanted = address / drive.TrackBytes % 1;
        return seek + TimeSpan.FromSeconds((wanted - under + 1) % 1 * rotation);
    }
}
