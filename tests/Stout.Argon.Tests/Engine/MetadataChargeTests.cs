using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Tests.Engine;

/// <summary>Creates, deletes, allocations and syncs run in the quanta of their service, and are charged to it.</summary>
public sealed class MetadataChargeTests
{
    [Fact]
    public void A_service_that_only_does_folder_work_has_half_of_the_disks_time()
    {
        var core = new ArgonCore(new CoreSettings { Frames = 4096, Trial = TimeSpan.FromHours(1) });
        core.AddDisk(new DeviceCost(TimeSpan.FromMilliseconds(1), 1e8));
        var (folder, reader) = (core.AddService(1, default), core.AddService(1, default));
        var target = core.Open(1, 0, 1L << 30);
        var (now, worked) = (TimeSpan.Zero, 0);
        // Both services always have four requests. Each takes a millisecond of a disk that serves one at a time.
        var random = new Random(1);
        for (var i = 0; i < 4; i++)
        {
            core.Do(folder, 0, () => worked++, now);
            core.Read(reader, target, random.Next(200_000), 1, now);
        }

        var device = new Queue<DiskIo>();
        while (now < TimeSpan.FromSeconds(30))
        {
            foreach (var request in core.Completed.ToArray())
            {
                core.Completed.Remove(request);
                var service = request.Service;
                core.Release(request, now);
                _ = service == folder ? core.Do(folder, 0, () => worked++, now) : core.Read(reader, target, random.Next(200_000), 1, now);
            }

            core.Issued.ForEach(device.Enqueue);
            core.Issued.Clear();
            now += TimeSpan.FromMilliseconds(1);
            if (device.TryDequeue(out var io))
            {
                io.Work?.Invoke();
                core.IoDone(io, null, now);
            }
            else
            {
                core.Tick(now);
            }
        }

        Assert.InRange(folder.Counters.DiskTime / now, 0.45, 0.55);
        Assert.InRange(reader.Counters.DiskTime / now, 0.45, 0.55);
        Assert.InRange(worked, 12_000, 17_000);
    }
}
