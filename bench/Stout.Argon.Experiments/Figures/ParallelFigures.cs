using Stout.Argon.Experiments.Devices;
using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Experiments.Figures;

/// <summary>Services on devices without a seek: flash, and a cloud disk with 500 requests and 100 MB per second. R (<c>ArgonOptions.Insulation</c>) is 0.9.</summary>
internal static class ParallelFigures
{
    private static readonly SimulatedService s_reader = PaperFigures.Uncached with { Name = "1 in flight" };

    /// <summary>Flash is a hundred times as fast as the paper's disk, so that all times are shorter.</summary>
    public static SimulatedServer Flash { get; } = PaperFigures.Server with
    {
        Settings = PaperFigures.Server.Settings with { Trial = TimeSpan.FromSeconds(0.5) },
        Disks = [() => new FlashDisk()],
        WarmUp = TimeSpan.FromSeconds(2),
        Measured = TimeSpan.FromSeconds(2),
    };

    public static SimulatedServer Cloud { get; } = PaperFigures.Server with { Disks = [() => new CloudDisk(500, 100e6)] };

    public static MixFigure TwoReaders { get; } = Readers(2);

    public static MixFigure EightReaders { get; } = Readers(8);

    public static MixFigure Many { get; } = Figure("flash-concurrency", "Flash: random reads, 27 in flight against 1", Flash, s_reader with { Name = "27 in flight", InFlight = 27 }, s_reader);

    public static MixFigure Log { get; } = Figure(
        "flash-log", "Flash: random reads beside a writer that syncs each block", Flash, s_reader, new("log", () => new CommitLog(PaperFigures.Blocks)));

    public static MixFigure Writer { get; } = Figure(
        "flash-writer", "Flash: random reads beside a written stream", Flash, s_reader, new("written stream", () => new Streaming(PaperFigures.Blocks, 4, write: true)) { Reuses = true });

    public static MixFigure FlashStream { get; } = Figure("flash-stream", "Flash: random reads beside a stream", Flash, s_reader, PaperFigures.Stream);

    public static MixFigure CloudMany { get; } = Figure("cloud-concurrency", "Cloud disk: random reads, 27 in flight against 1", Cloud, s_reader with { Name = "27 in flight", InFlight = 27 }, s_reader);

    public static MixFigure CloudStreams { get; } = Figure("cloud-streams", "Cloud disk: two streams", Cloud, [.. PaperFigures.TwoStreams.Services]);

    public static IReadOnlyList<MixFigure> All { get; } = [TwoReaders, EightReaders, Many, Log, Writer, FlashStream, CloudMany, CloudStreams];

    private static MixFigure Readers(int count) =>
        Figure($"flash-readers-{count}", $"Flash: {count} random readers", Flash, [.. Enumerable.Range(1, count).Select(i => s_reader with { Name = $"reader {i}" })]);

    private static MixFigure Figure(string name, string title, SimulatedServer server, params SimulatedService[] services) => new(name, title, "", server, services);
}
