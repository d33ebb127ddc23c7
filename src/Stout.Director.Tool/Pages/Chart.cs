using System.Globalization;
using System.Net;
using System.Text;

namespace Stout.Director.Tool.Pages;

/// <summary>Draws lines, bands and points as inline SVG, with two axes and a legend.</summary>
/// <param name="horizontal">The title of the horizontal axis.</param>
/// <param name="vertical">The title of the vertical axis.</param>
internal sealed class Chart(string horizontal, string vertical)
{
    private const double Width = 900;
    private const double Height = 300;
    private const double Left = 62;
    private const double Top = 10;
    private const double Bottom = 44;
    private const double LegendWidth = 236;
    private const double LegendStep = 17;
    private const int MostTicks = 6;

    private static readonly string[] Colors = ["#1f6fb4", "#d1642b", "#2a8a4a", "#9b3fa0", "#b3202c", "#7a6a2a", "#137f8a", "#6b6b6b", "#c2188b", "#4a56c0", "#b08900", "#5d8a2a", "#2f2f2f"];

    private static readonly int[] TickFactors = [1, 2, 5, 10];

    private readonly List<Shape> _shapes = [];

    private enum Kind
    {
        Line,
        Dashed,
        Band,
        Points,
        Shade,
    }

    /// <summary>Writes the numbers of the horizontal axis. Default: as numbers.</summary>
    public Func<double, string> Label { get; init; } = Number;

    /// <summary>The least distance of two numbers on the horizontal axis, of which others are multiples by 2, 5 and 10; null: any.</summary>
    public IReadOnlyList<double>? Steps { get; init; }

    /// <summary>Whether the vertical axis begins at 0. Default: yes.</summary>
    public bool FromZero { get; init; } = true;

    /// <summary>Adds a line. A point whose value is NaN interrupts it.</summary>
    public Chart Line(string name, IReadOnlyList<double> xs, IReadOnlyList<double> ys, bool isDashed = false, int? color = null) => Add(isDashed ? Kind.Dashed : Kind.Line, name, xs, ys, null, color);

    /// <summary>Adds the area between two lines.</summary>
    public Chart Band(string name, IReadOnlyList<double> xs, IReadOnlyList<double> low, IReadOnlyList<double> high, int? color = null) => Add(Kind.Band, name, xs, low, high, color);

    /// <summary>Adds points.</summary>
    public Chart Points(string name, IReadOnlyList<double> xs, IReadOnlyList<double> ys, int? color = null) => Add(Kind.Points, name, xs, ys, null, color);

    /// <summary>Adds a gray area over the whole height, such as a gap.</summary>
    public Chart Shade(string name, double from, double to) => Add(Kind.Shade, name, [from, to], [double.NaN, double.NaN], null, null);

    /// <summary>The chart as an SVG element.</summary>
    public string Svg()
    {
        var all = _shapes.Where(shape => shape.Kind != Kind.Shade).ToList();
        var (x0, x1) = Range(_shapes.SelectMany(shape => shape.Xs));
        var (y0, y1) = Range(all.SelectMany(shape => shape.Ys.Concat(shape.High ?? [])));
        if (FromZero)
            y0 = Math.Min(0, y0);
        y1 += (y1 - y0) * 0.04;
        var legend = _shapes.Select(shape => shape.Name).Distinct().Where(name => name.Length > 0).ToList();
        var right = legend.Count > 0 ? Width - LegendWidth : Width - 14;
        var height = Math.Max(Height, Top + Bottom + LegendStep * legend.Count);
        double X(double x) => Left + (x - x0) / (x1 - x0) * (right - Left);
        double Y(double y) => height - Bottom - (y - y0) / (y1 - y0) * (height - Bottom - Top);

        var svg = new StringBuilder();
        svg.Append(CultureInfo.InvariantCulture, $"<svg viewBox=\"0 0 {Width} {height:0}\" role=\"img\" aria-label=\"{Escaped(vertical)} by {Escaped(horizontal)}\">");
        foreach (var shape in _shapes.Where(shape => shape.Kind == Kind.Shade))
            svg.Append(CultureInfo.InvariantCulture, $"<rect class=\"shade\" x=\"{X(shape.Xs[0]):0.#}\" y=\"{Top}\" width=\"{Math.Max(X(shape.Xs[1]) - X(shape.Xs[0]), 1):0.#}\" height=\"{height - Bottom - Top:0.#}\"/>");
        foreach (var y in Ticks(y0, y1, null))
            svg.Append(CultureInfo.InvariantCulture, $"<line class=\"grid\" x1=\"{Left}\" x2=\"{right}\" y1=\"{Y(y):0.#}\" y2=\"{Y(y):0.#}\"/><text class=\"y\" x=\"{Left - 6}\" y=\"{Y(y) + 4:0.#}\">{Number(y)}</text>");
        foreach (var x in Ticks(x0, x1, Steps))
            svg.Append(CultureInfo.InvariantCulture, $"<line class=\"grid\" x1=\"{X(x):0.#}\" x2=\"{X(x):0.#}\" y1=\"{Top}\" y2=\"{height - Bottom:0.#}\"/><text class=\"x\" x=\"{X(x):0.#}\" y=\"{height - Bottom + 16:0.#}\">{Escaped(Label(x))}</text>");
        foreach (var shape in all)
            Draw(svg, shape, X, Y);
        svg.Append(CultureInfo.InvariantCulture, $"<text class=\"x\" x=\"{(Left + right) / 2:0.#}\" y=\"{height - 6:0.#}\">{Escaped(horizontal)}</text>");
        svg.Append(CultureInfo.InvariantCulture, $"<text class=\"x\" transform=\"translate(13 {(Top + height - Bottom) / 2:0.#}) rotate(-90)\">{Escaped(vertical)}</text>");
        for (var i = 0; i < legend.Count; i++)
        {
            var shape = _shapes.First(shape => shape.Name == legend[i]);
            var (x, y) = (right + 14, Top + 6 + i * LegendStep);
            svg.Append(shape.Kind switch
            {
                Kind.Shade => FormattableString.Invariant($"<rect class=\"shade\" x=\"{x:0.#}\" y=\"{y - 5:0.#}\" width=\"18\" height=\"10\"/>"),
                Kind.Band => FormattableString.Invariant($"<rect x=\"{x:0.#}\" y=\"{y - 5:0.#}\" width=\"18\" height=\"10\" fill=\"{shape.Color}\" fill-opacity=\"0.2\"/>"),
                Kind.Points => FormattableString.Invariant($"<circle cx=\"{x + 9:0.#}\" cy=\"{y:0.#}\" r=\"4\" fill=\"{shape.Color}\"/>"),
                _ => FormattableString.Invariant($"<line x1=\"{x:0.#}\" x2=\"{x + 18:0.#}\" y1=\"{y:0.#}\" y2=\"{y:0.#}\" stroke=\"{shape.Color}\" stroke-width=\"2\"{Dashes(shape)}/>"),
            });
            svg.Append(CultureInfo.InvariantCulture, $"<text x=\"{x + 24:0.#}\" y=\"{y + 4:0.#}\">{Escaped(legend[i])}</text>");
        }

        return svg.Append("</svg>").ToString();
    }

    private Chart Add(Kind kind, string name, IReadOnlyList<double> xs, IReadOnlyList<double> ys, IReadOnlyList<double>? high, int? color)
    {
        var used = _shapes.Where(shape => shape.Kind != Kind.Shade).Select(shape => shape.Color).Distinct().Count();
        _shapes.Add(new Shape(kind, name, xs, ys, high, Colors[(color ?? used) % Colors.Length]));
        return this;
    }

    private static void Draw(StringBuilder svg, Shape shape, Func<double, double> x, Func<double, double> y)
    {
        if (shape.Kind == Kind.Points)
        {
            for (var i = 0; i < shape.Xs.Count; i++)
                svg.Append(CultureInfo.InvariantCulture, $"<circle cx=\"{x(shape.Xs[i]):0.#}\" cy=\"{y(shape.Ys[i]):0.#}\" r=\"4\" fill=\"{shape.Color}\"><title>{Escaped(shape.Name)}</title></circle>");
            return;
        }

        if (shape.Kind == Kind.Band)
        {
            var edge = Enumerable.Range(0, shape.Xs.Count).Select(i => (X: shape.Xs[i], Y: shape.High![i])).Concat(Enumerable.Range(0, shape.Xs.Count).Reverse().Select(i => (X: shape.Xs[i], Y: shape.Ys[i])));
            svg.Append("<path d=\"M").AppendJoin('L', edge.Select(point => FormattableString.Invariant($"{x(point.X):0.#} {y(point.Y):0.#}"))).Append(CultureInfo.InvariantCulture, $"Z\" fill=\"{shape.Color}\" fill-opacity=\"0.2\"/>");
            return;
        }

        svg.Append("<path d=\"").Append(LinePath.Of(shape.Xs, shape.Ys, x, y)).Append(CultureInfo.InvariantCulture, $"\" fill=\"none\" stroke=\"{shape.Color}\" stroke-width=\"1.6\"{Dashes(shape)}/>");
    }

    private static string Dashes(Shape shape) => shape.Kind == Kind.Dashed ? " stroke-dasharray=\"5 4\"" : "";

    private static (double From, double To) Range(IEnumerable<double> values)
    {
        var (from, to) = (double.PositiveInfinity, double.NegativeInfinity);
        foreach (var value in values.Where(double.IsFinite))
            (from, to) = (Math.Min(from, value), Math.Max(to, value));
        return from > to ? (0, 1) : from < to ? (from, to) : (from - Math.Max(Math.Abs(from) * 0.1, 0.5), to + Math.Max(Math.Abs(to) * 0.1, 0.5));
    }

    private static IEnumerable<double> Ticks(double from, double to, IReadOnlyList<double>? steps)
    {
        var step = steps?.FirstOrDefault(one => (to - from) / one <= MostTicks + 1) ?? 0;
        if (step == 0)
        {
            step = Math.Pow(10, Math.Floor(Math.Log10((to - from) / MostTicks)));
            step *= TickFactors.First(factor => (to - from) / (step * factor) <= MostTicks);
        }

        for (var i = Math.Ceiling(from / step - 1e-9); i * step <= to + step * 1e-9; i++)
            yield return i * step + 0.0; // not -0
    }

    private static string Number(double value) => value.ToString(Math.Abs(value) >= 1_000 ? "#,0" : "0.####", CultureInfo.InvariantCulture);

    private static string Escaped(string text) => WebUtility.HtmlEncode(text);

    private sealed record Shape(Kind Kind, string Name, IReadOnlyList<double> Xs, IReadOnlyList<double> Ys, IReadOnlyList<double>? High, string Color);
}
