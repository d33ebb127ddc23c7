using Stout.Argon.Experiments.Figures;
using Stout.Argon.Experiments.Simulation;

namespace Stout.Argon.Tests.Figures;

/// <summary>Idle services take no disk time.</summary>
public sealed class IdleServiceTests
{
    // The warm-up is long, since each idle service gets a first turn and three idle turns before it is skipped.
    private static readonly SimulatedServer s_server = PaperFigures.Server with { WarmUp = TimeSpan.FromSeconds(100), Measured = TimeSpan.FromSeconds(30) };

    private static IReadOnlyList<SimulatedService> Services =>
        [PaperFigures.Uncached, .. Enumerable.Range(0, 100).Select(i => PaperFigures.Uncached with { Name = $"idle {i}", Leaves = TimeSpan.FromMilliseconds(1) })];

    [Fact]
    public void One_active_service_among_a_hundred_idle_ones_has_what_it_has_alone() => Assert.True(Fraction(s_server) >= 0.97);

    [Fact]
    public void Turns_that_are_kept_for_idle_services_for_ever_are_found_out()
    {
        var keeping = s_server.Settings with { Scheduler = s_server.Settings.Scheduler with { KeepIdleTurns = true } };
        Assert.True(Fraction(s_server with { Settings = keeping }) < 0.5);
    }

    private static double Fraction(SimulatedServer server) =>
        SimulatedRun.Of(server, Services)[0].Throughput / MixFigure.Alone(s_server, PaperFigures.Uncached).Throughput;
}
