using Stout.Argon.Scheduling;
using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Experiments.Figures;

/// <summary>The paper's sweeps of the access size and of the quantum.</summary>
internal static class PaperSweeps
{
    private const double Mebibyte = 1 << 20;

    /// <summary>
    /// Two streams, by the size of an access. Quanta are off: within a quantum, short accesses of one stream follow each other, so their size would matter
    /// little.
    /// </summary>
    public static Sweep Prefetch { get; } = new(
        "sweep-prefetch", "MiB", PaperFigures.TwoStreams with { Server = WithoutQuanta }, [0.125, 0.5, 1, 2, 4, 6, 8, 12, 16, 24],
        (server, mebibytes) => server with { Settings = server.Settings with { Ceiling = (long)(mebibytes * Mebibyte) } },
        server => server.Disks[0]().Cost.BytesFor(server.Settings.Insulation) / Mebibyte) { Around = [0.9, 0.96, 1.03, 1.1] };

    /// <summary>A service with 27 requests in flight and one with 1, by the length of a quantum.</summary>
    public static Sweep Quantum { get; } = new(
        "sweep-quantum", "s", PaperFigures.Concurrency, [0.02, 0.05, 0.1, 0.14, 0.25, 0.35, 0.5, 0.7, 1, 1.4, 2, 3],
        (server, seconds) => server with { Settings = server.Settings with { Scheduler = server.Settings.Scheduler with { Quantum = TimeSpan.FromSeconds(seconds) } } },
        ComputedQuantum);

    public static IReadOnlyList<Sweep> All { get; } = [Prefetch, Quantum];

    private static SimulatedServer WithoutQuanta =>
        PaperFigures.Server with { Settings = PaperFigures.Server.Settings with { Scheduler = new SchedulerSettings { Quanta = false } } };

    private static double ComputedQuantum(SimulatedServer server)
    {
        DiskScheduler? disk = null;
        SimulatedRun.Of(server, PaperFigures.Concurrency.Services, run => disk = run.Core.Disks[0]);
        return disk!.Unit.TotalSeconds;
    }
}
