using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Training;

namespace Stout.Director.Tests.Simulated;

public sealed class SteadyLoadTests
{
    [Fact]
    public void Under_stationary_noise_only_the_reserve_of_the_start_goes_and_hardly_a_bin_moves()
    {
        var result = SimulationRun.Run(BeyondScenarios.Steady(TrainedModels.SmallInstance, DirectorPolicy.Default, 1), cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal(0, result.Leases);
        // The reserve begins with 0.73 of the load of six servers.
        Assert.InRange(result.Releases, 1, 5);
        Assert.InRange(100.0 * result.Moves / BeyondScenarios.Bins / 24, 0, 1);
    }
}
