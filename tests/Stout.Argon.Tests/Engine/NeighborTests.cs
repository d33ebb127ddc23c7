using Stout.Argon.Devices;
using Stout.Argon.Engine;

namespace Stout.Argon.Tests.Engine;

/// <summary>The frames of a partition are evicted by its own service alone.</summary>
public sealed class NeighborTests
{
    private const int Frames = 4 * ArgonCore.LeastPartition;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Requests_of_one_service_evict_no_frame_of_another(int seed)
    {
        var random = new Random(seed);
        var core = new ArgonCore(new CoreSettings { Frames = Frames, Trial = TimeSpan.FromHours(1) });
        core.AddDisk(new DeviceCost(TimeSpan.FromMilliseconds(1), 100e6));
        var (still, busy) = (core.AddService(1, default), core.AddService(1, default));
        var (own, other) = (core.Open(1, 0, 4096L * 10_000), core.Open(2, 0, 4096L * 10_000));
        var now = TimeSpan.Zero;
        for (var block = 0; block < still.Partition.Target; block++)
        {
            _ = block % 3 == 0 ? core.Write(still, own, block, 1, false, false, (block + 1) * 4096L, now) : core.Read(still, own, block, 1, now);
            CoreRun.Carry(core, ref now);
        }

        var kept = Enumerable.Range(0, still.Partition.Target).Select(block => core.FrameOf(1, block)).ToList();
        Assert.DoesNotContain(-1, kept);
        for (var step = 0; step < 3_000; step++)
        {
            var (first, count) = (random.Next(step % 7 == 0 ? 9_000 : 200), random.Next(1, Request.MaxBlocks));
            _ = random.Next(2) == 0 ? core.Write(busy, other, first, count, true, true, (first + count) * 4096L, now) : core.Read(busy, other, first, count, now);
            CoreRun.Carry(core, ref now);
            Assert.Equal(kept, Enumerable.Range(0, kept.Count).Select(block => core.FrameOf(1, block)));
            Assert.InRange(busy.Partition.Used, 0, busy.Partition.Target);
        }

        Assert.True(busy.Counters.BlocksRead > 1_000 && busy.Counters.BlocksWritten > 1_000, $"{busy.Counters.BlocksRead} read, {busy.Counters.BlocksWritten} written");
    }
}
