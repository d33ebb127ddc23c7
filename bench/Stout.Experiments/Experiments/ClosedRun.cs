using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>A run under clients that wait for their replies, as many as it takes for a rate.</summary>
internal static class ClosedRun
{
    /// <summary>A front-end's own time between a reply and the next request.</summary>
    public static readonly TimeSpan Think = TimeSpan.FromMilliseconds(1);

    private const int Attempts = 6;
    private const double Precision = 0.015;

    /// <summary>The run that came closest to <paramref name="rate"/> requests/s: at most as many as the store carries.</summary>
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
            // Twice as many bring twice the rate where the store keeps up, and less where it does not.
            clients *= Math.Clamp(rate / run.Achieved, 0.5, 3);
        }

        return best!;

        double Distance(RunFigures run) => Math.Abs((run.Achieved / rate) - 1);
    }
}
