using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>The highest load under which waiting requests do not grow, to 1 % (3 % in a brief run).</summary>
internal static class CapacitySearch
{
    /// <param name="context">Runs the scenarios.</param>
    /// <param name="at">The scenario at a load.</param>
    /// <param name="least">A load that is surely carried.</param>
    /// <param name="most">The highest load to try.</param>
    /// <returns>The highest load seen to be carried; <paramref name="most"/> if none is too much.</returns>
    public static async Task<double> HighestAsync(ExperimentContext context, Func<double, Scenario> at, double least, double most)
    {
        var precision = context.Pick(1.01, 1.03);
        if (!await IsTooMuchAsync(most))
            return most;
        while (most / least > precision)
        {
            var middle = Math.Sqrt(least * most);
            if (await IsTooMuchAsync(middle))
                most = middle;
            else
                least = middle;
        }

        return least;

        async Task<bool> IsTooMuchAsync(double load) => (await context.RunAsync(at(load))).Overloaded;
    }

    /// <summary>The highest load of each curve; in a brief run, of the loads that were tried anyway.</summary>
    public static Task<double[]> HighestAsync(ExperimentContext context, IEnumerable<Curve> curves, IReadOnlyList<CurvePoint> tried, double least, double most) =>
        Task.WhenAll(curves.Select(curve => context.Settings.Effort == Effort.Full
            ? HighestAsync(context, curve.At, least, most)
            : Task.FromResult(tried.Where(point => point.Policy == curve.Name && !point.Run.Overloaded).Select(point => point.Load).DefaultIfEmpty().Max())));
}
