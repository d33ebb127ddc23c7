namespace Stout.Experiments.Output.Plots;

/// <summary>The pictures of a table.</summary>
internal static class Panels
{
    // The column that marks runs whose waiting requests grew. The latency of such a run depends only on the length of the run.
    private const string Overloaded = "overloaded";

    /// <summary>
    /// The pictures of a plot: one for each combination of values in the columns <see cref="Plot.Panels"/>, or one picture if there are no such columns.
    /// </summary>
    public static IReadOnlyList<Panel> Of(Table table, Plot plot)
    {
        var (x, y, series) = (table.IndexOf(plot.X), table.IndexOf(plot.Y), table.IndexOf(plot.Series));
        var panels = plot.Panels.Select(table.IndexOf).ToList();
        var overloaded = table.Columns.Any(column => column.Name == Overloaded) ? table.IndexOf(Overloaded) : -1;
        var (low, high) = plot.ErrorBar is { } bar ? (table.IndexOf(bar.Low), table.IndexOf(bar.High)) : (-1, -1);
        var paper = plot.Paper.GroupBy(point => point.Series).Select(line => new PlotLine(line.Key, [.. line.Select(point => new PlotPoint(point.X, point.Y))])).ToList();
        return
        [
            .. table.Rows.GroupBy(row => string.Join(", ", panels.Select(i => $"{Figure.OfCell(row[i])} {table.Columns[i].Name}"))).Select(rows => new Panel(
                rows.Key.Length == 0 ? plot.Title : $"{plot.Title}: {rows.Key}",
                table.Columns[x].Label, table.Columns[y].Label, plot.Logarithmic,
                [.. rows.GroupBy(row => Table.Text(row[series])).Select(line => new PlotLine(line.Key, [.. line.Select(Point).Where(point => point.IsDrawn)]))],
                paper)),
        ];

        PlotPoint Point(IReadOnlyList<object?> row) => new(Number(row, x) ?? double.NaN, Number(row, y) ?? double.NaN)
        {
            Overloaded = overloaded >= 0 && row[overloaded] is true,
            Low = Number(row, low),
            High = Number(row, high),
        };
    }

    private static double? Number(IReadOnlyList<object?> row, int column) =>
        column < 0 || row[column] is null ? null : Convert.ToDouble(row[column], System.Globalization.CultureInfo.InvariantCulture);
}
