using Stout.Argon.Experiments.Devices;
using Stout.Argon.Experiments.Figures;
using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Tests.Scheduling;

/// <summary>The services' requests correct the cost that the calibration of an empty folder has measured.</summary>
public sealed class CostCorrectionTests
{
    [Fact]
    public void A_positioning_time_that_was_measured_over_a_short_way_is_corrected_and_the_services_keep_R()
    {
        var calibrated = Stout.Argon.Devices.DiskProfile.Of(new ModelProbe(PaperFigures.Server.Disks[0])).Cost;
        Assert.InRange(calibrated.Positioning.TotalMilliseconds, 4, 6);
        // The services' objects lie far apart: others that were opened between them take the space.
        var server = PaperFigures.Server;
        var far = new SimulatedService("far", () => new Spread(PaperFigures.Blocks));
        var corrected = TimeSpan.Zero;
        var ceiling = 0L;
        var rows = SimulatedRun.Of(server, [far, PaperFigures.Stream], run => (corrected, ceiling) = (run.Core.Disks[0].Cost.Positioning, run.Core.CeilingOf(0) * PaperFigures.BlockSize));
        Assert.InRange(corrected.TotalMilliseconds, 8, 13);
        Assert.InRange(ceiling, calibrated.BytesFor(0.9) * 3 / 2, calibrated.BytesFor(0.9) * 3);
        Assert.InRange(rows[0].Throughput / MixFigure.Alone(server, far).Throughput, 0.45, 0.55);
        Assert.InRange(rows[1].Throughput / MixFigure.Alone(server, PaperFigures.Stream).Throughput, 0.45, 0.55);
    }

    // Random reads of thirty objects, so that they spread over more than half of the disk.
    private sealed class Spread(long blocks) : IPattern
    {
        public IReadOnlyList<long> Objects { get; } = [.. Enumerable.Repeat(blocks, 30)];

        public Operation Next(Random random) => new(Stout.Argon.Engine.RequestKind.Read, random.Next(Objects.Count), random.NextInt64(blocks), 1);
    }
}
