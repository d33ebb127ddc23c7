using Stout.Argon.Devices;
using Stout.Argon.Engine;
using Stout.Argon.Scheduling;
using Stout.Argon.Tests.Engine;
using Stout.Argon.Experiments.Figures;
using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Tests.Figures;

/// <summary>The charges of disk time to services, also with planted faults.</summary>
public sealed class ChargeTests
{
    private const int Frames = 1_024;
    private const int Cache = 3_000;

    [Fact]
    public void Write_backs_are_charged_to_the_writer_whoever_needs_the_frame()
    {
        var (reader, writer) = WrittenAmongReads(new CoreSettings());
        Assert.Equal((0, true), (reader.BlocksWritten, writer.BlocksWritten > 0));
        // Without partitions, the reads of one service evict dirty blocks of the other one.
        (reader, writer) = WrittenAmongReads(new CoreSettings { Partitions = false });
        Assert.Equal((0, true), (reader.BlocksWritten, writer.BlocksWritten > 0));
        (reader, _) = WrittenAmongReads(new CoreSettings { Partitions = false, ChargeReader = true });
        Assert.NotEqual(0, reader.BlocksWritten);
    }

    [Fact]
    public void A_flush_pays_for_its_sync_and_not_for_what_others_wrote()
    {
        var core = new ArgonCore(new CoreSettings { Frames = Frames });
        core.AddDisk(new DeviceCost(TimeSpan.FromMilliseconds(1), 100e6));
        var (writer, other) = (core.AddService(1, default), core.AddService(1, default));
        var target = core.Open(1, 0, 0);
        var now = TimeSpan.Zero;
        core.Write(writer, target, 0, 20, false, false, 20 * 4096, now);
        CoreRun.Carry(core, ref now);
        core.Flush(other, target, now);
        CoreRun.Carry(core, ref now);
        Assert.Equal((20, 0), (writer.Counters.BlocksWritten, writer.Counters.Syncs));
        Assert.Equal((0, 1), (other.Counters.BlocksWritten, other.Counters.Syncs));
    }

    [Fact]
    public void A_loss_of_R_on_the_disk_and_again_in_the_cache_is_found_out()
    {
        var rows = Cached(loseTwice: false);
        Assert.All(rows, row => Assert.True(row.Fraction >= 0.7 / 6, $"{row.Together.Name}: {row.Fraction}"));
        Assert.All(rows, row => Assert.False(row.Together.Broken, $"{row.Together.Name}: {row.Together.Reported} of {row.Together.Promised}"));
        Assert.InRange(rows[0].Together.Reported!.Value / rows[0].Together.Blocks, 0.9, 1.1);
        Assert.InRange(Cached(loseTwice: true)[0].Fraction, 0, 0.65 / 6);
    }

    [Fact]
    public void Service_times_that_are_never_learnt_are_found_out()
    {
        var figure = PaperFigures.Concurrency;
        var settings = figure.Server.Settings with { Scheduler = new SchedulerSettings { NeverLearn = true } };
        Assert.InRange(MixFigure.Run(figure.Server with { Settings = settings }, figure.Services)[0].Fraction, 0, 0.45);
    }

    // One service needs the cache. The five others do not, but their partitions leave the first one little slack.
    private static IReadOnlyList<MixRow> Cached(bool loseTwice)
    {
        var server = PaperFigures.Server with
        {
            Settings = PaperFigures.Server.Settings with { Frames = Cache, LoseTwice = loseTwice, Insulation = 0.7, Trial = TimeSpan.FromSeconds(200) },
            WarmUp = TimeSpan.FromSeconds(700),
            Measured = TimeSpan.FromSeconds(300),
        };
        var half = new SimulatedService("half absorbed", () => new UniformlyRandom(PaperFigures.Blocks, 2 * Cache)) { Reuses = true, InFlight = 8 };
        return MixFigure.Run(server, [half, .. Enumerable.Range(0, 5).Select(i => PaperFigures.Uncached with { Name = $"uncached {i}", InFlight = 8 })]);
    }

    private static (ServiceCounters Reader, ServiceCounters Writer) WrittenAmongReads(CoreSettings settings)
    {
        var core = new ArgonCore(settings with { Frames = Frames, Ceiling = 4096 });
        core.AddDisk(new DeviceCost(TimeSpan.FromMilliseconds(1), 100e6));
        var (reader, writer) = (core.AddService(1, default), core.AddService(1, default));
        var (read, written) = (core.Open(1, 0, 100_000 * 4096L), core.Open(2, 0, 100_000 * 4096L));
        var now = TimeSpan.Zero;
        for (var step = 0; step < 2 * Frames; step++)
        {
            if (step < Frames * 3 / 4)
                core.Write(writer, written, step * 3, 1, false, false, ((step * 3) + 1) * 4096L, now);
            core.Read(reader, read, step * 7, 1, now);
            CoreRun.Carry(core, ref now);
        }

        return (reader.Counters, writer.Counters);
    }
}
