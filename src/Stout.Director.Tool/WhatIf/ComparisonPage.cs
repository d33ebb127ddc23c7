using System.Globalization;
using System.Net;
using System.Text;
using Stout.Director.Tool.Pages;

namespace Stout.Director.Tool.WhatIf;

/// <summary>Writes a comparison as one HTML page, without further files.</summary>
internal static class ComparisonPage
{
    public static string Of(Comparison comparison)
    {
        var text = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>What if</title><style>\n").Append(Css()).Append("</style></head><body>\n");
        text.Append($"<h1>What if: {Escaped(comparison.Objective.ToString())}</h1>\n");
        text.Append(CultureInfo.InvariantCulture, $"<p>{comparison.Workload.Length.TotalMinutes:0} min of recorded load on {comparison.Workload.Bins} bins, simulated as a flow. Server types: {Escaped(string.Join(", ", comparison.Models.Select(Words)))}.</p>\n");
        text.Append("<table><thead><tr>").AppendJoin("", Comparison.Columns.Select(column => $"<th>{Escaped(column)}</th>")).Append("</tr></thead><tbody>\n");
        foreach (var row in comparison.Rows)
            text.Append($"<tr{(row.Attainment >= 1 ? " class=\"met\"" : "")}>").AppendJoin("", row.Cells.Select(cell => $"<td>{Escaped(cell)}</td>")).Append("</tr>\n");
        text.Append("</tbody></table>\n<p>Green rows meet the objective in every interval. Cost is the price of the paid intervals, each by its part in the recording.</p>\n");
        Figure(text, "Load", Load(comparison));
        Figure(text, "Servers", Lines(comparison, "leased servers", row => [.. row.Result.Intervals.Select(interval => (double)interval.Servers)]));
        Figure(text, "Slow reads", Lines(comparison, "share of slow reads (%)", row => [.. row.Result.Intervals.Select(interval => 100 * interval.SlowShare)]));
        Figure(text, "Cost and attainment", Tradeoff(comparison));
        return text.Append("</body></html>\n").ToString();
    }

    private static string Words(Models.ModelFile model) => FormattableString.Invariant($"{model.Type.Name} ({model.Type.SteadyState.Capacity(0.95):#,0} visits/s at 95/5, {model.Type.Price:0.##} an interval)");

    private static void Figure(StringBuilder text, string title, Chart chart) => text.Append($"<figure><figcaption>{title}</figcaption>\n{chart.Svg()}</figure>\n");

    private static Chart Load(Comparison comparison)
    {
        var times = Times(comparison);
        return new Chart("minutes", "requests/s").Line("", times, [.. times.Select(minutes => comparison.Workload.Rate(minutes * 60 - 10))]);
    }

    private static Chart Lines(Comparison comparison, string axis, Func<Alternative, double[]> values)
    {
        var chart = new Chart("minutes", axis);
        var times = Times(comparison);
        foreach (var row in comparison.Rows)
            chart.Line(row.Name, times, values(row));
        return chart;
    }

    private static Chart Tradeoff(Comparison comparison)
    {
        var chart = new Chart("cost", "intervals met (%)") { FromZero = false };
        foreach (var row in comparison.Rows)
            chart.Points(row.Name, [row.Result.Cost], [100 * row.Attainment]);
        return chart;
    }

    private static double[] Times(Comparison comparison) => [.. comparison.Rows[0].Result.Intervals.Select((_, i) => (i + 1) / 3.0)];

    private static string Css()
    {
        using var reader = new StreamReader(typeof(ComparisonPage).Assembly.GetManifestResourceStream("page.css")!);
        return reader.ReadToEnd();
    }

    private static string Escaped(string text) => WebUtility.HtmlEncode(text);
}
