using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Tests.Engine;

/// <summary>The times that plan a service's partition are its own: neighbors' slow operations and pauses of threads do not change them.</summary>
public sealed class EstimateTests
{
    private static readonly TimeSpan Fast = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan Slow = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan Millisecond = TimeSpan.FromMilliseconds(1);

    [Fact]
    public void A_neighbors_slow_file_operations_do_not_make_those_of_a_service_dearer()
    {
        var core = new ArgonCore(new CoreSettings { Frames = 4096, Trial = TimeSpan.FromHours(1) });
        core.AddDisk(new DeviceCost(Millisecond, 1e8));
        var (fast, slow) = (core.AddService(1, default), core.AddService(1, default));
        var now = TimeSpan.Zero;
        core.Do(fast, 0, static () => { }, now);
        core.Do(slow, 0, static () => { }, now);
        var (ended, dearest) = (0, TimeSpan.Zero);
        while (ended < 200)
        {
            foreach (var request in core.Completed.ToArray())
            {
                core.Completed.Remove(request);
                var service = request.Service;
                core.Release(request, now);
                core.Do(service, 0, static () => { }, now);
            }

            if (core.Issued.Count == 0)
            {
                core.Tick(now += Millisecond);
                continue;
            }

            var io = core.Issued[0];
            core.Issued.RemoveAt(0);
            now += io.Service == fast ? Fast : Slow;
            if (++ended > 10 && io.Service == fast && io.Estimate > dearest)
                dearest = io.Estimate;
            core.IoDone(io, null, now);
        }

        Assert.InRange(dearest, Fast / 2, Fast * 2);
    }

    [Fact]
    public void A_thread_that_pauses_does_not_lengthen_the_time_of_a_hit()
    {
        var core = new ArgonCore(new CoreSettings { Frames = 4096, Trial = TimeSpan.FromHours(1) });
        core.AddDisk(new DeviceCost(Millisecond, 1e8));
        var service = core.AddService(1, default);
        var target = core.Open(1, 0, 1L << 30);
        var now = TimeSpan.Zero;
        core.Read(service, target, 0, 1, now);
        CoreRun.Carry(core, ref now);

        for (var i = 0; i < 1_000; i++)
        {
            var request = core.Read(service, target, 0, 1, now);
            Assert.True(request.Hit);
            now += i == 500 ? TimeSpan.FromMilliseconds(20) : TimeSpan.FromMicroseconds(1);
            core.Release(request, now);
        }

        Assert.InRange(service.Counters.EpochHitTime!.Value, TimeSpan.FromMicroseconds(0.9), TimeSpan.FromMicroseconds(1.2));
    }
}
