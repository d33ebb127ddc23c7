using Stout.Argon.Caching;
using Stout.Argon.Configuration;
using Stout.Argon.Engine;
using Stout.Argon.Experiments.Devices;
using Stout.Argon.Experiments.Figures;
using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Tests.Figures;

/// <summary>The lengths of trials, and the predictions of profiles.</summary>
public sealed class TrialTests
{
    /// <summary>The tolerance of a trial's length: a service's status changes at its requests, which wait for its turn.</summary>
    private static readonly TimeSpan s_turn = TimeSpan.FromSeconds(2);

    private static readonly SimulatedService s_nested = new("nested", () => new NestedSets(PaperFigures.Blocks, 100));

    private static TimeSpan Trial => PaperFigures.Server.Settings.Trial;

    [Fact]
    public void A_service_that_joins_has_its_partition_and_slack_is_back_within_the_trial()
    {
        var joins = TimeSpan.FromSeconds(65);
        SimulatedRun.Of(Server(120), [PaperFigures.Stream, PaperFigures.Uncached, s_nested with { Joins = joins }], run =>
        {
            if (run.Core.Services.Count < 3)
                return;
            var services = run.Core.Services;
            Assert.Equal(PaperFigures.Frames, services.Sum(service => service.Partition.Target));
            var newcomer = services[2];
            if (newcomer.Status == ServiceStatus.Trial)
            {
                Assert.True(run.Now <= joins + Trial + s_turn, $"the trial takes until {run.Now}");
                Assert.All(services.Take(2), service => Assert.Equal(service.Least, service.Partition.Target));
                return;
            }

            Assert.All(services, service => Assert.Equal(ServiceStatus.Insulated, service.Status));
            var slack = services.Select(service => service.Partition.Target - service.Least).ToList();
            Assert.InRange(slack.Max() - slack.Min(), 0, 1);
            Assert.True(slack.Min() > 1_000, $"{slack.Min()}");
            Assert.All(services, service => Assert.InRange(service.Partition.Used, 0, service.Partition.Target));
        });
    }

    [Theory]
    [InlineData(60, false)]
    [InlineData(66, false)]
    [InlineData(72, false)]
    [InlineData(79, false)]
    [InlineData(60, true)]
    [InlineData(66, true)]
    [InlineData(72, true)]
    [InlineData(79, true)]
    public void After_a_change_of_pattern_a_service_is_insulated_again_within_two_trials(int changes, bool gainsReuse)
    {
        var (change, now) = (TimeSpan.FromSeconds(changes), TimeSpan.Zero);
        var (least, tried) = (-1, false);
        IPattern Changing() => new Switching(
            gainsReuse ? new NeverAgain(PaperFigures.Blocks) : new NestedSets(PaperFigures.Blocks, 100),
            gainsReuse ? new NestedSets(PaperFigures.Blocks, 100) : new NeverAgain(PaperFigures.Blocks),
            () => now >= change);
        SimulatedRun.Of(Server(130), [PaperFigures.Stream, new("changing", Changing)], run =>
        {
            now = run.Now;
            if (run.Core.Services.Count < 2)
                return;
            var service = run.Core.Services[1];
            if (now < change)
            {
                least = service.Least;
                Assert.True(now < 2 * Trial || service.Status == ServiceStatus.Insulated, $"{service.Status} at {now}");
                return;
            }

            tried |= service.Status == ServiceStatus.Trial;
            if (now < change + (2 * Trial) + s_turn)
                return;
            Assert.Equal(ServiceStatus.Insulated, service.Status);
            Assert.True(tried, "the change was not noticed");
            Assert.NotEqual(least, service.Least);
        });
    }

    [Theory]
    [InlineData(EvictionKind.Lru)]
    [InlineData(EvictionKind.Sieve)]
    public void Live_absorption_is_within_a_fiftieth_of_the_predicted(EvictionKind eviction)
    {
        const int Frames = 4_096;
        var server = PaperFigures.Server with
        {
            Settings = PaperFigures.Server.Settings with { Frames = Frames, Eviction = eviction, Trial = TimeSpan.FromSeconds(40), Insulation = 0.4 },
            Disks = [() => new CloudDisk(2_000, 400e6)],
            // The first trials of a large working set see only a part of its reuse.
            WarmUp = TimeSpan.FromSeconds(290),
            Measured = TimeSpan.FromSeconds(100),
        };
        var rows = SimulatedRun.Of(server, [
            new("uniform", () => new UniformlyRandom(PaperFigures.Blocks, Frames * 2)) { InFlight = 4 },
            new("nested", () => new NestedSets(PaperFigures.Blocks, 1_200)) { InFlight = 4 },
            new("written", () => new NestedSets(PaperFigures.Blocks, 600, writes: 0.3)) { InFlight = 4 },
        ]);
        Assert.All(rows, row => Assert.Equal(ServiceStatus.Insulated, row.Status));
        Assert.All(rows, row => Assert.True(Math.Abs(row.Absorbed - row.Predicted) <= 0.02, $"{row.Name}: {row.Absorbed}, predicted {row.Predicted}"));
    }

    private static SimulatedServer Server(double seconds) => PaperFigures.Server with { WarmUp = TimeSpan.FromSeconds(seconds), Measured = TimeSpan.FromSeconds(1) };

    private sealed class Switching(IPattern before, IPattern after, Func<bool> changed) : IPattern
    {
        public IReadOnlyList<long> Objects => before.Objects;

        public Operation Next(Random random) => (changed() ? after : before).Next(random);
    }
}
