using Stout.Argon.Engine;
using Stout.Argon.Experiments.Devices;
using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Experiments.Figures;

/// <summary>
/// A seeded mix of 2 to 8 services on one of the device models, with one of five values of R (<c>ArgonOptions.Insulation</c>). The services stream, scan within
/// loops, write logs, and reread working sets of up to 10,000 blocks. Some hot sets move, some services pause between requests, and some use several objects.
/// </summary>
internal static class RandomMix
{
    private const int Cloud = 2;
    private const int Flash = 3;
    private const double ShortestOnFlash = 0.25;
    private static readonly double[] s_insulations = [0.5, 0.7, 0.8, 0.9, 0.95];

    /// <summary>The random reads of one client per second that each device serves.</summary>
    private static readonly double[] s_reads = [79, 79, 500, 12_000];

    /// <param name="seed">Chooses the mix.</param>
    /// <param name="length">Multiplies all times of the run, and the largest working set, which has 10,000 blocks at 1.</param>
    public static MixFigure Of(int seed, double length = 1)
    {
        var random = new Random(seed);
        var device = random.Next(4);
        // Shorter runs on flash would have fewer turns than the averages need.
        length = device == Flash ? Math.Max(length, ShortestOnFlash) : length;
        var insulation = s_insulations[random.Next(s_insulations.Length)];
        var drawn = Enumerable.Range(0, random.Next(2, 9)).Select(i => Service(random, i, device, length)).ToList();
        var weights = drawn.Sum(each => each.Service.Weight);
        var slowest = drawn.Max(each => each.Used * weights / each.Service.Weight) / s_reads[device];
        // Flash answers about a hundred times as many requests per second as the other devices, so its runs are shorter. On a rotating disk with R = 0.95, a
        // round of quanta takes half a minute. A trial lasts so long that a service may read its whole working set in each half.
        var least = 100 * length * (device == Flash ? 0.02 : insulation > 0.9 && device != Cloud ? 5 : 1);
        var trial = TimeSpan.FromSeconds(Math.Max(least, 2 * slowest));
        var server = PaperFigures.Server with
        {
            Settings = PaperFigures.Server.Settings with { Insulation = insulation, Trial = trial },
            Disks = [Device(device)],
            WarmUp = 2.2 * trial,
            Measured = Math.Max(1.1, 4 * least / trial.TotalSeconds) * trial,
            Seed = seed,
        };
        // Alone, a writer fills the cache with dirty blocks before its throughput is steady.
        var services = drawn.Select(each => each.Service with
        {
            Settles = TimeSpan.FromSeconds(Math.Max(least, 2 * (each.Service.Name.Contains("writ", StringComparison.Ordinal) ? PaperFigures.Frames : each.Used) / s_reads[device])),
        }).ToList();
        return new MixFigure($"mix-{seed}", $"Mix {seed} on {server.Disks[0]().Name}, R = {insulation}", "none", server, services);
    }

    private static Func<IDeviceModel> Device(int device) => device switch
    {
        0 => () => new RotatingDisk(DriveData.Paper),
        1 => () => new RotatingDisk(DriveData.Modern),
        Cloud => () => new CloudDisk(500, 100e6),
        _ => () => new FlashDisk(),
    };

    // Draws a service, and returns the blocks of its working set too.
    private static (SimulatedService Service, long Used) Service(Random random, int i, int device, double length)
    {
        var weight = random.Next(1, 9);
        var inFlight = random.Next(2) == 0 ? 1 : random.Next(2, 28);
        var used = (long)(100 * Math.Pow(Math.Max(2, 100 * length), random.NextDouble()));
        var reads = random.Next(5, 50) * (int)used;
        var scan = random.Next(100, 5_000);
        // A client computes between its requests. Without pauses, a client whose reads are all absorbed would send a million requests a second.
        var think = TimeSpan.FromSeconds((random.Next(4) == 0 ? 2 : 0.4) * random.NextDouble() / s_reads[device]);
        var several = random.Next(2, 5);
        var writes = random.Next(2) * 0.3;
        var service = random.Next(12) switch
        {
            0 => Named("stream", () => new Streaming(PaperFigures.Blocks, 4)),
            1 => Named("written stream", () => new Streaming(PaperFigures.Blocks, 4, write: true)) with { Reuses = true },
            2 => Named($"{several} streams", () => new InTurn([.. Enumerable.Range(0, several).Select(_ => new Streaming(PaperFigures.Blocks, 4))])),
            3 => Named("half cached", () => new NestedSets(PaperFigures.Blocks, used)) with { InFlight = inFlight, Reuses = true },
            4 => Named("half written", () => new UniformlyRandom(PaperFigures.Blocks, PaperFigures.Blocks, writes: 0.5)) with { InFlight = inFlight, Reuses = true },
            5 => Named("random", () => new NeverAgain(PaperFigures.Blocks)) with { InFlight = inFlight },
            6 => Named($"scan of {scan} in a loop of {used}", () => new ScannedLoop(PaperFigures.Blocks, used, reads, scan)) with { Think = think, Reuses = true },
            7 => Named($"shifting set of {used}", () => new ShiftingSet(PaperFigures.Blocks, used, reads)) with { InFlight = inFlight, Think = think, Reuses = true },
            8 => Named("log", () => new CommitLog(PaperFigures.Blocks)) with { Think = think, Reuses = true },
            9 => Named($"zipf of {used}", () => new Popular(PaperFigures.Blocks, used)) with { InFlight = inFlight, Think = think, Reuses = true },
            10 => Named($"uniform of {used}", () => new UniformlyRandom(PaperFigures.Blocks, used, writes)) with { Think = think, Reuses = true },
            _ => Named($"log and zipf of {used}", () => new InTurn([new CommitLog(PaperFigures.Blocks), new Popular(PaperFigures.Blocks, used)])) with { Think = think, Reuses = true },
        };
        var rereads = service.Name.Contains(" of ", StringComparison.Ordinal) || service.Name.EndsWith("cached", StringComparison.Ordinal);
        return (service, rereads ? used : 0);

        SimulatedService Named(string name, Func<IPattern> pattern) => new($"{i} {name}", pattern) { Weight = weight };
    }
}
