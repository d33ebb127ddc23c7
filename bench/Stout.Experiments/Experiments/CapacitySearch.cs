using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>The highest load under which waiting requests do not grow, to 1 %.</summary>
internal static class CapacitySearch
{
    private const double Precision = 1.01;

    /// <param name="context">Runs the scenarios.</param>
    /// <param name="at">The scenario at a load.</param>
    /// <param name="least">A load that is surely carried.</param>
    /// <param name="most">The highest load to try.</param>
    /// <returns>The highest load seen to be carried; <paramref name="most"/> if none is too much.</returns>
    public static async Task<double> HighestAsync(ExperimentContext context, Func<double, Scenario> at, double least, double most)
    {
        if (!await IsTooMuchAsync(most))
            return most;
        while (most / least > Precision)
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
}
