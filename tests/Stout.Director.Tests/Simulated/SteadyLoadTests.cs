using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Training;

namespace Stout.Director.Tests.Simulated;

public sealed class SteadyLoadTests
{
    [Fact]
    public void Under_stationary_noise_no_server_comes_or_goes_for_a_day_and_hardly_a_bin_moves()
    {
        var result = SimulationRun.Run(BeyondScenarios.Steady(TrainedModels.SmallInstance, DirectorPolicy.Default, 1), cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal((0, 0), (result.Leases, result.Releases));
        Assert.InRange(100.0 * result.Moves / BeyondScenarios.Bins / 24, 0, 1);
    }
}
