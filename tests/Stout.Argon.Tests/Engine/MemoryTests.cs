using Stout.Argon.Devices;
using Stout.Argon.Engine;
using Stout.Argon.Tests.Caching;

namespace Stout.Argon.Tests.Engine;

/// <summary>The memory of the engine in addition to its cache. Runs alone, since the test measures the heap of the whole process.</summary>
[Collection(nameof(Alone))]
public sealed class MemoryTests
{
    [Fact]
    public void An_engine_keeps_32_MiB_and_1_MiB_a_service_beside_its_cache()
    {
        const int Services = 8;
        const int Blocks = 100_000;
        var before = GC.GetTotalMemory(true);
        var core = new ArgonCore(new CoreSettings { Frames = 16_384 });
        core.AddDisk(new DeviceCost(TimeSpan.FromMilliseconds(1), 100e6));
        var services = Enumerable.Range(0, Services).Select(_ => core.AddService(1, default)).ToList();
        var objects = Enumerable.Range(0, Services).Select(i => core.Open(i, 0, Blocks * 4096L)).ToList();
        var (random, now) = (new Random(1), TimeSpan.Zero);
        for (var i = 0; i < 300_000; i++)
        {
            var (service, target) = (services[i % Services], objects[i % Services]);
            var block = (long)(Math.Pow(random.NextDouble(), 3) * Blocks);
            _ = i % 5 == 0 ? core.Write(service, target, block, 1, false, false, (block + 1) * 4096, now) : core.Read(service, target, block, 1, now);
            CoreRun.Carry(core, ref now);
        }

        Assert.InRange(GC.GetTotalMemory(true) - before, 1, (32 + Services) << 20);
        GC.KeepAlive(core);
    }
}
