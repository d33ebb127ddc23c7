using System.Globalization;
using System.Text;

namespace Stout.Director.Tool.Pages;

/// <summary>A small line of servers over time, with red marks below it where the objective is violated.</summary>
internal static class Sparkline
{
    private const double Width = 200;
    private const double Height = 30;
    private const double Marks = 5;

    public static string Of(IReadOnlyList<double> servers, double most, IReadOnlyList<double> slowShares, double budget)
    {
        var svg = new StringBuilder();
        svg.Append(CultureInfo.InvariantCulture, $"<svg viewBox=\"0 0 {Width} {Height}\" role=\"img\" aria-label=\"servers over time\"><path d=\"");
        var path = LinePath.Of([.. Enumerable.Range(0, servers.Count).Select(i => (double)i)], servers, x => x / Math.Max(servers.Count - 1, 1) * Width, y => (Height - Marks - 2) * (1 - y / Math.Max(most, 1)) + 1);
        svg.Append(path).Append("\" fill=\"none\" stroke=\"#1f6fb4\" stroke-width=\"1.2\"/>");
        // Neighboring violations are one mark.
        for (var i = 0; i < slowShares.Count; i++)
        {
            if (!(slowShares[i] > budget))
                continue;
            var first = i;
            while (i + 1 < slowShares.Count && slowShares[i + 1] > budget)
                i++;
            svg.Append(CultureInfo.InvariantCulture, $"<rect x=\"{Width * first / slowShares.Count:0.#}\" y=\"{Height - Marks}\" width=\"{Math.Max(1, Width * (i - first + 1) / slowShares.Count):0.#}\" height=\"{Marks}\" fill=\"#b3202c\"/>");
        }

        return svg.Append("</svg>").ToString();
    }
}
