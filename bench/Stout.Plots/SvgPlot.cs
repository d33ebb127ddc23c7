using System.Globalization;
using System.Net;
using System.Text;
using static Stout.Plots.Shapes;

namespace Stout.Plots;

/// <summary>
/// Draws a panel as SVG. There is no .NET library for plots that we can restore, and those of other ecosystems need their runtime wherever
/// experiments run; lines over two axes are little enough to draw by hand, and give the same bytes everywhere.
/// </summary>
internal sealed class SvgPlot
{
    private const int Width = 640;
    private const int Left = 68;
    private const int Right = 30;
    private const int Top = 44;
    private const int PlotHeight = 270;
    private const int BelowAxis = 62;
    private const int LegendRow = 22;
    private const int Margin = 10;

    // More lines than this can't be told apart: they are drawn thin, and counted instead of named.
    private const int MostNamed = 12;

    // Marks on a line with more points than this would hide it.
    private const int MostMarked = 40;

    private readonly StringBuilder _text = new();
    private readonly Panel _panel;
    private readonly Axis _x;
    private readonly Axis _y;

    private SvgPlot(Panel panel)
    {
        _panel = panel;
        var points = panel.Lines.Concat(panel.Landmarks).SelectMany(line => line.Points).ToList();
        _x = Axis.Of(points.Select(point => point.X), panel.LogarithmicX, exact: true);
        _y = Axis.Of(points.SelectMany(point => new[] { point.Y, point.Low ?? point.Y, point.High ?? point.Y }), panel.Logarithmic);
    }

    /// <summary>The style of all pictures. A page holds it once.</summary>
    public static string Style { get; } = ReadStyle();

    private bool Crowded => _panel.Lines.Count > MostNamed;

    /// <param name="panel">What to draw.</param>
    /// <param name="id">Unlike that of any other picture on the same page.</param>
    /// <param name="style"><see cref="Style"/> for a file of its own; null on a page that has it.</param>
    public static string Of(Panel panel, string id, string? style) => new SvgPlot(panel).Draw(id, style);

    /// <summary>What the picture shows, for those who can't see it.</summary>
    public static string Describe(Panel panel)
    {
        var lines = panel.Lines.Count > MostNamed ? $"{panel.Lines.Count} lines" : string.Join("; ", panel.Lines.Concat(panel.Landmarks).Where(line => line.Points.Count > 0).Select(Range));
        return $"{panel.Y}{(panel.Logarithmic ? ", logarithmic," : "")} over {panel.X}{(panel.LogarithmicX ? ", logarithmic" : "")}. {lines}.";

        static string Range(PlotLine line) => $"{line.Name}: from {Figure(line.Points[0].Y)} at {Figure(line.Points[0].X)} to {Figure(line.Points[^1].Y)} at {Figure(line.Points[^1].X)}";

        static string Figure(double value) => value.ToString("#,0.##", CultureInfo.InvariantCulture);
    }

    private string Draw(string id, string? style)
    {
        var legend = LegendNames();
        var places = Legend.Arrange(legend.Select(entry => entry.Name), Width - Left - Right);
        var height = Top + PlotHeight + BelowAxis + (LegendRow * (places.Count == 0 ? 0 : places[^1].Row + 1)) + Margin;
        _text.Append($"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {Width} {height}\" width=\"{Width}\" height=\"{height}\" role=\"img\" aria-labelledby=\"{id}-title {id}-text\">\n");
        _text.Append($"<title id=\"{id}-title\">{Escaped(_panel.Title)}</title>\n<desc id=\"{id}-text\">{Escaped(Describe(_panel))}</desc>\n");
        if (style is not null)
            _text.Append($"<style>\n{style}</style>\n");
        _text.Append($"<rect class=\"ground\" width=\"{Width}\" height=\"{height}\" rx=\"6\"/>\n");
        AddText("title", Margin, 24, _panel.Title, "start");
        AddAxes();
        _text.Append(Crowded ? "<g class=\"many\">\n" : "<g>\n");
        for (var i = 0; i < _panel.Lines.Count; i++)
            AddLine(_panel.Lines[i], i);
        _text.Append("</g>\n");
        for (var i = 0; i < _panel.Landmarks.Count; i++)
            AddLandmark(_panel.Landmarks[i], i);
        for (var i = 0; i < legend.Count; i++)
            AddLegend(legend[i], Left + places[i].X, Top + PlotHeight + BelowAxis + (LegendRow * places[i].Row));
        return _text.Append("</svg>\n").ToString();
    }

    private void AddAxes()
    {
        foreach (var tick in _y.Ticks)
        {
            var y = Number(Y(tick));
            _text.Append($"<path class=\"grid\" d=\"M{Left} {y}H{Width - Right}\"/>");
            AddText("tick", Left - 8, Y(tick) + 4.5, Axis.Label(tick), "end");
        }

        foreach (var tick in _x.Ticks)
        {
            _text.Append($"<path class=\"axis\" d=\"M{Number(X(tick))} {Top + PlotHeight}v5\"/>");
            AddText("tick", X(tick), Top + PlotHeight + 20, Axis.Label(tick), "middle");
        }

        _text.Append($"<path class=\"axis\" fill=\"none\" d=\"M{Left} {Top}V{Top + PlotHeight}H{Width - Right}\"/>\n");
        AddText("name", Left + ((Width - Left - Right) / 2.0), Top + PlotHeight + 40, _panel.X, "middle");
        const double Middle = Top + (PlotHeight / 2.0);
        _text.Append($"<text class=\"name\" text-anchor=\"middle\" transform=\"translate(16 {Number(Middle)}) rotate(-90)\">{Escaped(_panel.Y)}</text>\n");
    }

    private void AddLine(PlotLine line, int i)
    {
        _text.Append($"<g class=\"{Series(i)}\">");
        var points = Thinning.Of(line.Points, point => (int)X(point.X), Width);
        var path = string.Join('L', points.Where(point => !point.Overloaded).Select(Place));
        if (path.Length > 0)
            _text.Append($"<path class=\"line\" d=\"M{path}\"{Dash(i)}/>");
        foreach (var point in points)
        {
            if (point is { Low: { } low, High: { } high })
                _text.Append(Bar(X(point.X), Y(low), Y(high)));
            if (point.Overloaded)
                _text.Append(Cross(X(point.X), Y(point.Y)));
            else if (line.Points.Count <= MostMarked && !Crowded)
                _text.Append(Mark(i, X(point.X), Y(point.Y), "mark"));
        }

        _text.Append("</g>\n");
    }

    private void AddLandmark(PlotLine line, int i)
    {
        foreach (var point in line.Points)
            _text.Append(Mark(i, X(point.X), Y(point.Y), "hollow"));
        _text.Append('\n');
    }

    private List<LegendEntry> LegendNames()
    {
        var entries = new List<LegendEntry>();
        if (Crowded)
            entries.Add(new($"{_panel.Lines.Count} lines", (x, y) => $"<g class=\"s0\"><path class=\"line\" d=\"M{x} {y}h24\"/></g>"));
        else if (_panel.Lines.Count + _panel.Landmarks.Count > 1)
            entries.AddRange(_panel.Lines.Select((line, i) => new LegendEntry(line.Name, (x, y) => $"<g class=\"{Series(i)}\"><path class=\"line\" d=\"M{x} {y}h24\"{Dash(i)}/>{Mark(i, x + 12, y, "mark")}</g>")));
        entries.AddRange(_panel.Landmarks.Select((line, i) => new LegendEntry(line.Name, (x, y) => Mark(i, x + 12, y, "hollow"))));
        if (_panel.Lines.Any(line => line.Points.Any(point => point.Overloaded)))
            entries.Add(new("overloaded: the queue grows", (x, y) => Cross(x + 12, y)));
        return entries;
    }

    private void AddLegend(LegendEntry entry, double x, double y)
    {
        _text.Append(entry.Sample(Math.Round(x, 1), y - 4.5));
        AddText("legend", x + 30, y, entry.Name, "start");
    }

    private void AddText(string kind, double x, double y, string text, string anchor) =>
        _text.Append($"<text class=\"{kind}\" x=\"{Number(x)}\" y=\"{Number(y)}\" text-anchor=\"{anchor}\">{Escaped(text)}</text>\n");

    private double X(double value) => Left + (_x.Place(value) * (Width - Left - Right));

    // What a logarithmic axis can't hold lies at its foot.
    private double Y(double value) => Top + (PlotHeight * (1 - (_panel.Logarithmic && value <= 0 ? 0 : _y.Place(value))));

    private string Place(PlotPoint point) => $"{Number(X(point.X))} {Number(Y(point.Y))}";

    private static string ReadStyle()
    {
        using var reader = new StreamReader(typeof(SvgPlot).Assembly.GetManifestResourceStream("plot.css")!);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }

    private static string Escaped(string text) => WebUtility.HtmlEncode(text);

    private sealed record LegendEntry(string Name, Func<double, double, string> Sample);
}
