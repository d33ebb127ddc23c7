namespace Stout.Plots;

/// <summary>Leaves points out where several share a column of the picture: its least and its greatest stay, so no spike is lost.</summary>
internal static class Thinning
{
    public static IReadOnlyList<PlotPoint> Of(IReadOnlyList<PlotPoint> points, Func<PlotPoint, int> column, int columns) =>
        points.Count <= 2 * columns
            ? points
            : [.. points.GroupBy(column).SelectMany(group => new[] { group.MinBy(point => point.Y), group.MaxBy(point => point.Y) }.Distinct().OrderBy(point => point.X))];
}
