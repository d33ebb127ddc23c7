using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Runs a scenario with clients that wait for their replies, and searches the number of clients that gives a rate.</summary>
internal static class ClosedRun
{
    /// <summary>The mean time that a client takes between a reply and its next request.</summary>
    public static readonly TimeSpan Think = TimeSpan.FromMilliseconds(1);

    private const int Attempts = 6;
    private const double Precision = 0.015;

    /// <summary>
    /// Returns the run whose rate came closest to <paramref name="rate"/> requests/s. The run's rate is lower if the store does not carry that load.
    /// </summary>
    public static async Task<RunFigures> AtRateAsync(ExperimentContext context, Scenario scenario, double rate)
    {
        var clients = rate * 0.02;
        RunFigures? best = null;
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            var run = await context.RunAsync(scenario with { Closed = new ClosedLoad((int)Math.Ceiling(clients), Think) });
            if (best is null || Distance(run) < Distance(best))
                best = run;
            if (Distance(best) < Precision)
                break;
            // Twice as many clients give twice the rate if the store keeps up, and less than twice if it does not.
            clients *= Math.Clamp(rate / run.Achieved, 0.5, 3);
        }

        return best!;

        double Distance(RunFigures run) => Math.Abs((run.Achieved / rate) - 1);
    }
}
