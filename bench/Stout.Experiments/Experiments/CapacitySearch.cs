using Stout.Experiments.Workloads;

namespace Stout.Experiments.Experiments;

/// <summary>Searches the highest load under which waiting requests do not grow, to a precision of 1 % (3 % in a brief run).</summary>
internal static class CapacitySearch
{
    /// <param name="context">Runs the scenarios.</param>
    /// <param name="at">Returns the scenario at a load.</param>
    /// <param name="least">A load that the store surely carries.</param>
    /// <param name="most">The highest load to try.</param>
    /// <returns>The highest load that the store carried; <paramref name="most"/> if it carried every load.</returns>
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

        async Task<bool> IsTooMuchAsync(double load) => (await context.RunAsync(at(load) with { Duration = context.Seconds(60, 18) })).Overloaded;
    }

    /// <summary>
    /// The highest load of each curve, in each round. On a real store a search would take too long, so the result is the rate of answers while the store is
    /// flooded. That rate is the sustained one or somewhat more, since batches grow with the waiting requests.
    /// </summary>
    public static async Task<IReadOnlyList<double>[]> RoundsAsync(ExperimentContext context, IReadOnlyCollection<Curve> curves, IReadOnlyList<CurvePoint> tried, double most)
    {
        if (context.Settings.OnModel)
        {
            var seeds = await Task.WhenAll(Enumerable.Range(0, context.Settings.Rounds).Select(round => HighestAsync(
                context, curves.Select(curve => curve.InRound(round)), [.. tried.Select(point => point with { Rounds = point.Rounds.Only(round) })], most)));
            return [.. curves.Select(IReadOnlyList<double> (_, i) => [.. seeds.Select(seed => seed[i])])];
        }

        var rounds = await context.RepeatAllAsync(curves.Select(curve => Calibration.Flooded(curve.At(1))));
        return [.. rounds.Select(one => one.Achieved)];
    }

    /// <summary>
    /// The highest load of each curve. The search begins between the highest carried and the lowest overloaded load of <paramref name="tried"/>. A brief
    /// run takes the highest carried one. No load above <paramref name="most"/> is tried.
    /// </summary>
    public static Task<double[]> HighestAsync(ExperimentContext context, IEnumerable<Curve> curves, IReadOnlyList<CurvePoint> tried, double most) =>
        Task.WhenAll(curves.Select(curve => HighestAsync(context, curve, [.. tried.Where(point => point.Policy == curve.Name)], most)));

    private static Task<double> HighestAsync(ExperimentContext context, Curve curve, IReadOnlyList<CurvePoint> tried, double most)
    {
        var tooMuch = tried.Where(point => point.Overloaded).Select(point => point.Load).Append(most).Min();
        // If no load was carried, the search begins far below the least load that was too much.
        var carried = tried.Select(point => point.Load).Where(load => load < tooMuch).DefaultIfEmpty(tooMuch / 4).Max();
        return context.Settings.Effort == Effort.Brief ? Task.FromResult(carried) : HighestAsync(context, curve.At, carried, tooMuch);
    }
}
