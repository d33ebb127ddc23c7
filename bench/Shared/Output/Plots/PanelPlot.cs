using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using ScottPlot;
using ScottPlot.Palettes;
using ScottPlot.Plottables;

namespace Stout.Experiments.Output.Plots;

/// <summary>Draws a panel as SVG with ScottPlot.</summary>
internal static partial class PanelPlot
{
    private const int Width = 640;
    private const int Height = 380;
    private const int LegendRow = 10;
    private const string Font = "DejaVu Sans";

    // More lines than this can't be told apart: they are drawn thin, and counted instead of named.
    private const int MostNamed = 12;

    // Marks on a line with more points than this would hide the line.
    private const int MostMarked = 40;

    private const string Overloaded = "overloaded: the queue grows";

    private static readonly MarkerShape[] Marks = [MarkerShape.FilledCircle, MarkerShape.FilledSquare, MarkerShape.FilledTriangleUp, MarkerShape.FilledDiamond];
    private static readonly MarkerShape[] HollowMarks = [MarkerShape.OpenCircle, MarkerShape.OpenSquare, MarkerShape.OpenTriangleUp, MarkerShape.OpenDiamond];

    /// <summary>The picture, with its title and description for readers that can't see it.</summary>
    public static string Svg(Panel panel)
    {
        var plot = new ScottPlot.Plot();
        if (panel.Lines.Count > plot.Add.Palette.Colors.Length)
            plot.Add.Palette = new Category20();
        plot.Title(panel.Title, 15);
        plot.XLabel(panel.X, 13);
        plot.YLabel(panel.Y, 13);
        plot.Axes.Left.Label.Bold = plot.Axes.Bottom.Label.Bold = false;
        plot.Font.Set(Font);
        var (x, y) = (Scale.Of(panel.LogarithmicX, panel.Values(point => [point.X])), Scale.Of(panel.Logarithmic, panel.Values(point => [point.Y, point.Low ?? point.Y, point.High ?? point.Y])));
        for (var i = 0; i < panel.Lines.Count; i++)
            AddLine(plot, panel, i, x, y);
        for (var i = 0; i < panel.Landmarks.Count; i++)
            Mark(plot, panel.Landmarks[i].Points, HollowMarks[i % HollowMarks.Length], Colors.Black, x, y).LegendText = panel.Landmarks[i].Name;
        plot.Axes.SetLimits(x.From, x.To, y.From, y.To);
        plot.Axes.Bottom.TickGenerator = x.Ticks();
        plot.Axes.Left.TickGenerator = y.Ticks();
        var names = panel.Lines.Count > MostNamed ? 1 : panel.Lines.Count + panel.Landmarks.Count;
        plot.HideLegend();
        if (panel.Lines.Count + panel.Landmarks.Count > 1)
        {
            plot.Legend.Orientation = Orientation.Horizontal;
            plot.ShowLegend(Edge.Bottom);
        }

        var height = Height + (names * LegendRow);
        return Described(plot.GetSvgXml(Width, height), panel, height);
    }

    /// <summary>The picture's description in words.</summary>
    public static string Describe(Panel panel)
    {
        var lines = panel.Lines.Count > MostNamed ? $"{panel.Lines.Count} lines" : string.Join("; ", panel.Lines.Concat(panel.Landmarks).Where(line => line.Points.Count > 0).Select(Range));
        return $"{panel.Y}{(panel.Logarithmic ? ", logarithmic," : "")} over {panel.X}{(panel.LogarithmicX ? ", logarithmic" : "")}. {lines}.";

        static string Range(PlotLine line) => $"{line.Name}: from {Figure(line.Points[0].Y)} at {Figure(line.Points[0].X)} to {Figure(line.Points[^1].Y)} at {Figure(line.Points[^1].X)}";

        static string Figure(double value) => value.ToString("#,0.##", CultureInfo.InvariantCulture);
    }

    /// <summary>
    /// A digest of all that a picture is made of, which the picture holds as metadata. The places of letters depend on the machine's fonts, so
    /// pictures of the same data differ between machines; their digests do not.
    /// </summary>
    public static string Digest(Panel panel)
    {
        var text = new StringBuilder(Describe(panel)).Append(panel.Title);
        foreach (var line in panel.Lines.Concat(panel.Landmarks))
            text.Append(line.Name).AppendJoin(' ', line.Points.Select(static point => string.Create(CultureInfo.InvariantCulture, $"{point.X} {point.Y} {point.Low} {point.High} {point.Overloaded}")));
        return Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text.ToString())));
    }

    private static void AddLine(ScottPlot.Plot plot, Panel panel, int i, Scale x, Scale y)
    {
        var (line, color, crowded) = (panel.Lines[i], plot.Add.Palette.GetColor(i), panel.Lines.Count > MostNamed);
        var drawn = line.Points.Where(static point => !point.Overloaded).ToList();
        if (drawn.Count > 0)
        {
            var scatter = plot.Add.Scatter(X(drawn, x), Y(drawn, y), color.WithAlpha(crowded ? 0.55 : 1));
            scatter.LineWidth = crowded ? 1 : 2;
            scatter.MarkerShape = line.Points.Count <= MostMarked && !crowded ? Marks[i % Marks.Length] : MarkerShape.None;
            scatter.MarkerSize = 8;
            scatter.LegendText = !crowded ? line.Name : i == 0 ? $"{panel.Lines.Count} lines" : "";
        }

        var spread = drawn.Where(static point => point is { Low: not null, High: not null }).ToList();
        if (spread.Count > 0)
            plot.Add.Plottable(new ScottPlot.Plottables.ErrorBar(X(spread, x), Y(spread, y), null, null, Below(spread, y), Above(spread, y)) { Color = color, LineWidth = 1.5f });
        var crosses = line.Points.Where(static point => point.Overloaded).ToList();
        if (crosses.Count > 0)
            Mark(plot, crosses, MarkerShape.Eks, color, x, y).LegendText = panel.Lines.Take(i).Any(static other => other.Points.Any(static point => point.Overloaded)) ? "" : Overloaded;
    }

    private static Markers Mark(ScottPlot.Plot plot, IReadOnlyList<PlotPoint> points, MarkerShape shape, Color color, Scale x, Scale y)
    {
        var marks = plot.Add.Markers(X(points, x), Y(points, y), shape, 9, color);
        marks.MarkerLineWidth = 2;
        return marks;
    }

    private static double[] X(IReadOnlyList<PlotPoint> points, Scale scale) => [.. points.Select(point => scale.Place(point.X))];

    private static double[] Y(IReadOnlyList<PlotPoint> points, Scale scale) => [.. points.Select(point => scale.Place(point.Y))];

    private static double[] Below(IReadOnlyList<PlotPoint> points, Scale scale) => [.. points.Select(point => scale.Place(point.Y) - scale.Place(point.Low!.Value))];

    private static double[] Above(IReadOnlyList<PlotPoint> points, Scale scale) => [.. points.Select(point => scale.Place(point.High!.Value) - scale.Place(point.Y))];

    private static string Described(string svg, Panel panel, int height)
    {
        svg = svg[svg.IndexOf("<svg", StringComparison.Ordinal)..].ReplaceLineEndings("\n")
            .Replace($"font-family=\"{Font}\"", $"font-family=\"{Font}, Verdana, sans-serif\"", StringComparison.Ordinal);
        // Renames clip paths, whose names come from a counter of the process, so that the same panel gives the same text.
        var names = new Dictionary<string, string>();
        svg = ClipName().Replace(svg, match => names.TryGetValue(match.Value, out var known) ? known : names[match.Value] = $"clip{names.Count + 1}");
        var end = svg.IndexOf('>', StringComparison.Ordinal);
        return $"""
            {svg[..end]} role="img" viewBox="0 0 {Width} {height}">
            <title>{Escaped(panel.Title)}</title>
            <desc>{Escaped(Describe(panel))}</desc>
            <metadata>{Digest(panel)}</metadata>{svg[(end + 1)..]}
            """;
    }

    private static string Escaped(string text) => WebUtility.HtmlEncode(text);

    [GeneratedRegex("(?<=[\"#])cl_[0-9a-f]+")]
    private static partial Regex ClipName();
}
