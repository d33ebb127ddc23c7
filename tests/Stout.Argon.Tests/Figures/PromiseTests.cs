using Stout.Argon.Configuration;
using Stout.Argon.Experiments.Devices;
using Stout.Argon.Experiments.Figures;
using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Tests.Figures;

/// <summary>Patterns whose misses cost very different times, and the reports of promises that are broken.</summary>
public sealed class PromiseTests
{
    [Fact]
    public void A_loop_with_scans_keeps_its_share_beside_a_stream_although_an_access_takes_half_of_the_cache()
    {
        var server = PaperFigures.Server with
        {
            Settings = PaperFigures.Server.Settings with { Frames = 7_700, Trial = TimeSpan.FromSeconds(40) },
            Disks = [() => new RotatingDisk(DriveData.Modern)],
            WarmUp = TimeSpan.FromSeconds(200),
            Measured = TimeSpan.FromSeconds(100),
        };
        var rows = MixFigure.Run(server, [new("loop", () => new ScannedLoop(PaperFigures.Blocks, 396, 3_000, 4_000)) { Reuses = true }, PaperFigures.Stream]);
        Check(rows[0], 0.9);
        // Accesses of 8 to 16 MiB in place of the computed ones kept 0.87 of share × alone.
        Assert.True(rows[0].Fraction >= 0.5 * 0.85, $"{rows[0].Fraction} of alone, {rows[0].Together.Status}");
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void Popular_blocks_on_flash_keep_their_share_although_alone_all_reads_are_hits(int others)
    {
        var server = ParallelFigures.Flash with { Settings = ParallelFigures.Flash.Settings with { Insulation = 0.8, Frames = 4_000 } };
        var rows = MixFigure.Run(server, [
            new("popular", () => new Popular(PaperFigures.Blocks, 3_000)) { Reuses = true, Think = TimeSpan.FromMicroseconds(5) },
            .. Enumerable.Range(0, others).Select(i => PaperFigures.Uncached with { Name = $"{i}", InFlight = 8 }),
        ]);
        Assert.InRange(rows[0].Alone.Absorbed, 0.995, 1);
        Check(rows[0], 0.8 * 2 / (1 + others));
    }

    [Theory]
    [InlineData(ServiceStatus.Insulated, 97, true)]
    [InlineData(ServiceStatus.Insulated, 98, false)]
    [InlineData(ServiceStatus.BestEffort, 97, false)]
    [InlineData(ServiceStatus.Insulated, null, false)]
    public void A_promise_is_broken_where_an_insulated_service_has_less_than_0_98_of_it(ServiceStatus status, int? throughput, bool broken) =>
        Assert.Equal(broken, new ServiceReport("service", status, 0, 0, 0, default, 0, throughput, throughput is null ? null : 100).PromiseBroken);

    private static void Check(MixRow row, double promised) => Assert.True(
        row.Together.Status == ServiceStatus.Insulated && row.Fraction >= 0.5 * (promised - 0.02),
        $"{row.Fraction} of alone; {row.Together.Blocks} blocks/s, promised {row.Together.Promised}, reported {row.Together.Reported}; partition {row.Together.Partition}, least {row.Together.Least}");
}
