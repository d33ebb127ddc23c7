using Stout.Argon.Engine;
using Stout.Argon.Experiments.Devices;
using Stout.Argon.Experiments.Simulation;
using Stout.Argon.Experiments.Traces;

namespace Stout.Argon.Experiments.Figures;

/// <summary>The mixes of services of the Argon paper, on a model of the paper's disk. Objects have 5 GB; R (<c>ArgonOptions.Insulation</c>) is 0.9.</summary>
internal static class PaperFigures
{
    public const int BlockSize = 16 * 1024;
    public const long Blocks = 5_000_000_000 / BlockSize;

    /// <summary>
    /// The number of blocks of the cache: 256 MiB. The paper's servers had 1 GB; the figures depend on the ratio of the cache to an access of 8 MB.
    /// </summary>
    public const int Frames = 16_384;

    /// <summary>A server with one disk like the paper's.</summary>
    public static SimulatedServer Server { get; } = new(
        new CoreSettings { BlockSize = BlockSize, Frames = Frames, Trial = TimeSpan.FromSeconds(20) },
        [() => new RotatingDisk(DriveData.Paper)])
    {
        WarmUp = TimeSpan.FromSeconds(45),
        Measured = TimeSpan.FromSeconds(60),
    };

    public static SimulatedService Stream { get; } = new("stream", () => new Streaming(Blocks, 4));

    public static SimulatedService Uncached { get; } = new("uniform, none absorbed", () => new NeverAgain(Blocks));

    public static MixFigure TwoStreams { get; } = new(
        "two-streams", "Two streams", "each stream keeps 1/9 of its throughput alone; with accesses of 8 MB it keeps nearly half", Server, [Stream with { Name = "stream 1" }, Stream with { Name = "stream 2" }]);

    public static MixFigure CachedAndStream { get; } = new(
        "cached-stream", "Cached random reads and a stream, each on its own disk", "without insulation the random reads lose their cache hits; with insulation they are nearly as fast as alone",
        SlowCache with { Disks = [.. Server.Disks, .. Server.Disks] },
        [new("cached random", () => new UniformlyRandom(Blocks, Frames * 2)) { Reuses = true }, Stream with { Disk = 1 }]);

    public static MixFigure Concurrency { get; } = new(
        "concurrency", "Random reads, 27 in flight against 1", "the service with one request gets practically nothing; with quanta of 140 ms each service gets slightly less than R × half", Server,
        [Uncached with { Name = "27 in flight", InFlight = 27 }, Uncached with { Name = "1 in flight" }]);

    public static MixFigure SharesForMany { get; } = new(
        "shares-3-1", "Shares 3:1, 27 in flight against 1", "the throughput is proportional to the shares", Server,
        [Uncached with { Name = "27 in flight, 3", InFlight = 27, Weight = 3 }, Uncached with { Name = "1 in flight, 1" }]);

    public static MixFigure SharesForOne { get; } = new(
        "shares-1-3", "Shares 1:3, 27 in flight against 1", "the throughput is proportional to the shares", Server,
        [Uncached with { Name = "27 in flight, 1", InFlight = 27 }, Uncached with { Name = "1 in flight, 3", Weight = 3 }]);

    public static MixFigure StreamAndRandom { get; } = new(
        "stream-random", "A stream and random reads", "both services reach R × half", Server, [Stream, Uncached with { Name = "random" }]);

    public static MixFigure Four { get; } = new(
        "four", "Four services", "all services reach R × a quarter", SlowCache,
        [
            Stream,
            new("non-linear, like TPC-C", () => new NestedSets(Blocks, Frames * 3 / 100)) { Reuses = true },
            new("uniform, 20 % absorbed", () => new UniformlyRandom(Blocks, Frames * 5)) { Reuses = true },
            Uncached,
        ]);

    /// <summary>The cache has 64 MiB, so that neither of the databases of 67 and 91 MiB fits.</summary>
    public static MixFigure OltpAndQuery { get; } = new(
        "oltp-q3", "TPC-C's new order and payment beside TPC-H's query 3, as SQLite's block traces", "both services reach twice their un-insulated throughput",
        Server with
        {
            Settings = Server.Settings with { Frames = Frames / 4, Trial = TimeSpan.FromSeconds(150) },
            WarmUp = TimeSpan.FromSeconds(700),
            Measured = TimeSpan.FromSeconds(600),
        },
        [new("OLTP", () => new Replay(BlockTrace.Oltp)) { Reuses = true }, new("query 3", () => new Replay(BlockTrace.Query)) { Reuses = true }]);

    public static IReadOnlyList<MixFigure> All { get; } =
        [TwoStreams, CachedAndStream, Concurrency, SharesForMany, SharesForOne, StreamAndRandom, Four, OltpAndQuery];

    // A server with a long trial and warm-up, since random reads fill a cache of 256 MiB slowly.
    private static SimulatedServer SlowCache => Server with
    {
        Settings = Server.Settings with { Trial = TimeSpan.FromSeconds(200) },
        WarmUp = TimeSpan.FromSeconds(1100),
        Measured = TimeSpan.FromSeconds(400),
    };
}
