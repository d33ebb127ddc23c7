using System.CommandLine;
using System.Diagnostics;
using Stout.Argon.Devices;
using Stout.Argon.Engine;
using Stout.Argon.Scheduling;
using Stout.Argon.Experiments.Figures;

namespace Stout.Argon.Experiments;

/// <summary>
/// The command <c>cost FOLDER</c>: measures the costs of Argon's engine. Both sides of a ratio are measured in alternating rounds of one run.
/// </summary>
internal static class CostCommand
{
    private const int Block = ArgonOptions.BlockSize;
    private const int Rounds = 9;
    private static readonly TimeSpan s_round = TimeSpan.FromSeconds(0.4);

    private static readonly Argument<DirectoryInfo> Folder = new("folder") { Description = "A folder on the disk" };

    private static readonly Option<int> Requests = new("--requests") { Description = "The requests of the measurement of memory", DefaultValueFactory = _ => 10_000_000 };

    public static Command Create()
    {
        var command = new Command("cost", "Cached reads, scheduling, a lone service with insulation and without, memory.") { Folder, Requests };
        command.SetAction(arguments => RunAsync(arguments.GetRequiredValue(Folder).FullName, arguments.GetValue(Requests)));
        return command;
    }

    private static async Task RunAsync(string folder, int requests)
    {
        await MemoryAsync(Path.Combine(folder, "memory"), requests).ConfigureAwait(false);
        await CachedReadsAsync(Path.Combine(folder, "cached")).ConfigureAwait(false);
        Scheduling();
        await LoneAsync(Path.Combine(folder, "lone")).ConfigureAwait(false);
    }

    private static ArgonServer Open(string folder, long cache, bool insulated = true) => ArgonServer.Open(new ArgonOptions
    {
        Disks = [new() { Folder = folder, Cost = new DeviceCost(TimeSpan.FromMicroseconds(80), 1e9), AllowBuffered = true }],
        CacheBytes = cache,
        Insulated = insulated,
        Trial = TimeSpan.FromSeconds(1),
    });

    private static async Task CachedReadsAsync(string folder)
    {
        await using var server = Open(folder, 64 << 20);
        var handle = await FilledAsync(server, "one", 4_096).ConfigureAwait(false);
        // Warms up until a round allocates little, since code of the JIT compiler's first tier allocates. On a busy machine the optimized code comes after
        // seconds.
        for (var round = 0; round < 100 && Measure().Allocated > 100_000; round++)
            Thread.Yield();
        var rounds = Enumerable.Range(0, Rounds).Select(_ => Measure()).ToList();
        var allocated = rounds.Min(round => round.Allocated);
        var rates = rounds.Select(round => round.Rate).ToList();
        Console.WriteLine(FormattableString.Invariant($"cached 4 KiB reads per second of processor time: {Spread(rates, "0")}; {allocated} bytes allocated in a round at the least, by the checks of the profile and the measurement itself"));

        (double Rate, long Allocated) Measure()
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            var rate = Rate(handle, 4_096, cpu: true);
            return (rate, GC.GetAllocatedBytesForCurrentThread() - before);
        }
    }

    // Measures the scheduler by itself. Every service always has requests waiting: each finished request is enqueued again at a random place.
    private static void Scheduling()
    {
        foreach (var services in new[] { 1, 1_000 })
        {
            var core = new ArgonCore(new CoreSettings { Frames = 1_000_000 });
            var scheduler = new DiskScheduler(new DeviceCost(TimeSpan.FromMicroseconds(80), 1e9), Block, new SchedulerSettings()) { LeastQuantum = TimeSpan.FromMilliseconds(0.8) };
            var queues = Enumerable.Range(0, services).Select(_ => new ServiceQueue(core.AddService(1, TimeSpan.Zero))).ToArray();
            var target = core.Open(1, 0, 1L << 40);
            var issued = new List<DiskIo>();
            var now = TimeSpan.Zero;
            var random = new Random(1);
            foreach (var queue in queues)
            {
                for (var i = 0; i < 4; i++)
                    scheduler.Enqueue(New(queue), queue, now);
            }

            var times = new List<double>();
            for (var round = 0; round < Rounds; round++)
            {
                const int Count = 500_000;
                var start = Cpu();
                for (var done = 0; done < Count;)
                {
                    scheduler.Dispatch(now, static _ => true, issued);
                    now += TimeSpan.FromMicroseconds(20);
                    foreach (var io in issued)
                    {
                        var queue = io.Queue!;
                        scheduler.Done(io, now);
                        io.First = random.NextInt64(1L << 28);
                        scheduler.Enqueue(io, queue, now);
                        done++;
                    }

                    issued.Clear();
                }

                times.Add((Cpu() - start).TotalMicroseconds / Count);
            }

            Console.WriteLine(FormattableString.Invariant($"scheduling with {services} services, microseconds a request: {Spread(times, "0.00")}"));

            DiskIo New(ServiceQueue queue)
            {
                var io = new DiskIo { Kind = DiskIoKind.Read, Object = target, Service = queue.Service, First = random.NextInt64(1L << 28) };
                io.Frames.Add(0);
                return io;
            }
        }
    }

    // Compares a lone service with and without insulation: by processor time on the real engine, and by throughput on the device models.
    private static async Task LoneAsync(string folder)
    {
        foreach (var (name, blocks) in new[] { ("all cached", 2_048), ("half cached", 8_192) })
        {
            await using var with = Open(Path.Combine(folder, "with", name), 16 << 20);
            await using var without = Open(Path.Combine(folder, "without", name), 16 << 20, insulated: false);
            var one = await FilledAsync(with, name, blocks).ConfigureAwait(false);
            var other = await FilledAsync(without, name, blocks).ConfigureAwait(false);
            for (var round = 0; round < Rounds; round++)
                _ = (Rate(one, blocks), Rate(other, blocks));
            var ratios = new List<double>();
            for (var round = 0; round < 3 * Rounds; round++)
                ratios.Add(round % 2 == 0 ? Rate(one, blocks, cpu: true) / Rate(other, blocks, cpu: true) : 1 / (Rate(other, blocks, cpu: true) / Rate(one, blocks, cpu: true)));
            Console.WriteLine(FormattableString.Invariant($"a lone service, random reads {name} by processor time, with insulation over without: {Spread(ratios, "0.000")}"));
        }

        foreach (var (name, ratio) in LoneServices.All)
            Console.WriteLine(FormattableString.Invariant($"a lone service on the model, {name}, with insulation over without: {ratio():0.000}"));
    }

    private static async Task MemoryAsync(string folder, int requests)
    {
        const int Services = 10;
        const int Cache = 64 << 20;
        var (idle, heap) = (WorkingSet(), GC.GetTotalMemory(true));
        await using var server = Open(folder, Cache);
        var handles = new ArgonObject[Services];
        for (var i = 0; i < Services; i++)
            handles[i] = await FilledAsync(server, $"service {i}", 8_192).ConfigureAwait(false);
        var block = new byte[Block];
        var random = new Random(1);
        for (var i = 0; i < requests; i++)
        {
            // Each service makes all its requests before the next service begins. If the services took turns, each miss would wait for a round of the other
            // services' quanta.
            var handle = handles[(int)((long)i * Services / requests)];
            var place = (long)(Math.Pow(random.NextDouble(), 300) * 8_192) * Block;
            if (i % 50 == 0)
                handle.Write(place, block);
            else
                handle.Read(place, block);
        }

        Console.WriteLine(FormattableString.Invariant($"memory above the idle process after {requests:N0} requests of {Services} services, beside the cache of {Cache >> 20} MiB: {(WorkingSet() - idle - Cache) / 1048576.0:0.0} MiB, of which live objects {(GC.GetTotalMemory(true) - heap) / 1048576.0:0.0} MiB and the heap's free space {(GC.GetGCMemoryInfo().TotalCommittedBytes - GC.GetTotalMemory(true)) / 1048576.0:0.0} MiB"));
    }

    private static long WorkingSet()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        using var process = Process.GetCurrentProcess();
        return process.WorkingSet64;
    }

    private static async Task<ArgonObject> FilledAsync(ArgonServer server, string name, int blocks)
    {
        var service = server.AddService(name);
        var known = (await service.ListAsync().ConfigureAwait(false)).Contains(name);
        var handle = known ? await service.OpenAsync(name).ConfigureAwait(false) : await service.CreateAsync(name).ConfigureAwait(false);
        var bytes = new byte[32 * Block];
        for (var block = 0; block < blocks; block += 32)
            handle.Write((long)block * Block, bytes);
        handle.Flush();
        return handle;
    }

    // Returns the reads per second of wall-clock time. With `cpu`, per second of this process' processor time, on which other processes have little effect.
    private static double Rate(ArgonObject handle, int blocks, bool cpu = false)
    {
        var block = new byte[Block];
        var random = new Random(1);
        var (start, cpuStart) = (Stopwatch.GetTimestamp(), Cpu());
        var reads = 0L;
        while (Stopwatch.GetElapsedTime(start) < s_round)
        {
            for (var i = 0; i < 64; i++)
                handle.Read((long)random.Next(blocks) * Block, block);
            reads += 64;
        }

        return reads / (cpu ? Cpu() - cpuStart : Stopwatch.GetElapsedTime(start)).TotalSeconds;
    }

    private static TimeSpan Cpu()
    {
        using var process = Process.GetCurrentProcess();
        return process.TotalProcessorTime;
    }

    private static string Spread(List<double> values, string format)
    {
        values.Sort();
        var culture = System.Globalization.CultureInfo.InvariantCulture;
        return $"{values[values.Count / 2].ToString(format, culture)} ({values[0].ToString(format, culture)} to {values[^1].ToString(format, culture)})";
    }
}
