using System.Globalization;
using Stout.Director;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Training;

namespace Documentation.Examples;

/// <summary>The code of docs/director/README.md and of the Director's packages.</summary>
public static class DirectorPage
{
    #region drive
    public static async Task DriveAsync(IElasticCluster cluster, IIntentStore intents, DirectorSettings settings, TimeProvider time, CancellationToken stop)
    {
        var runner = new DirectorRunner(new DirectorCore(settings), cluster, intents);
        var start = time.GetTimestamp();
        await runner.StartAsync(TimeSpan.Zero, stop);
        var nextPlan = settings.Policy.Period;
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(1), time);
        while (await timer.WaitForNextTickAsync(stop))
        {
            var now = time.GetElapsedTime(start);
            if (now >= nextPlan)
            {
                nextPlan = now + settings.Policy.Period;
                var decision = await runner.PlanAsync(now, stop);
                foreach (var action in decision.Actions)
                    Console.WriteLine($"{action}: {action.Reason}");
            }

            await runner.AdvanceAsync(now, stop);
        }
    }
    #endregion

    public static string Simulate()
    {
        #region simulate
        var run = SimulationRun.Run(PaperScenarios.Hotspot(TrainedModels.SmallInstance, DirectorPolicy.Default, seed: 1, SimulationMode.Flow));
        var attained = run.AttainedPercentile(TimeSpan.FromMinutes(5));
        #endregion
        return attained.ToString(CultureInfo.InvariantCulture);
    }
}
