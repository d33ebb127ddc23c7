using System.Globalization;
using System.Net;
using System.Text;
using Stout.Director.Tool.Answers;
using Stout.Director.Tool.Fitting;
using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Pages;

/// <summary>Writes the answers about a history as one HTML page, without further files.</summary>
internal static class AnswersPage
{
    private static readonly string[] Charted = ["static, peak at 70 %", "HPA at 70 %", "Director"];
    private static readonly double[] TimeSteps = [1 / 60.0, 1 / 30.0, 1 / 12.0, 1 / 6.0, 0.25, 0.5, 1, 2, 3, 6, 12, 24, 48, 168];

    public static string Of(ServiceHistory history, IReadOnlyList<AnswerSet> sets, Backtest? backtest, string? noBacktest)
    {
        var set = sets[0];
        var text = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>What if</title><style>\n")
            .Append(Resource("page.css")).Append(Resource("answers.css")).Append("</style></head><body><main>\n");
        text.Append($"<h1>What if: {Escaped(set.Situation.Objective.ToString())}</h1>\n");
        text.Append(CultureInfo.InvariantCulture, $"<p>{Time(history.Start)} to {Time(history.End)}, in steps of {history.StepSeconds:0.###} s. {Escaped(Assumptions(set))}</p>\n");
        foreach (var caution in Cautions(set, backtest))
            text.Append($"<p class=\"caution\">{Escaped(caution)} See <a href=\"#trust\">how far to trust this</a>.</p>\n");
        Table(text, set);
        text.Append("<p>Green rows violate the objective at no time. <em>Attained</em> is the highest percentile that stays under the threshold in every interval. The small numbers are the range over seeds and all models that the history does not exclude. <em>Extrapolated</em> is the share of the time in which servers have more load than was ever measured. Red marks below a line are violated intervals.</p>\n");
        Figure(text, "Load", LoadChart(history));
        Figure(text, "Servers", ServersChart(history, set));
        if (set.Kind.Fit is { } fit)
        {
            Figure(text, "Latency by load of one server", LatencyChart(fit, set.Situation.Objective));
            text.Append($"<p>{Escaped(FitWords.Of(fit, set.Situation.Objective))}</p>\n");
        }

        Figure(text, "Cost and violations", CostChart(set));
        text.Append("<h2 id=\"trust\">How far to trust this</h2>\n");
        if (backtest is not null)
        {
            text.Append($"<p>{Escaped(FitWords.Of(backtest))}</p>\n");
            Figure(text, "Backtest: share of slow reads", BacktestChart(backtest, history));
        }
        else
        {
            text.Append($"<p>There is no backtest. {Escaped(noBacktest ?? "")}</p>\n");
        }

        if (history.Lacks.Count > 0)
            text.Append("<p>The history lacks:</p><ul>").AppendJoin("", history.Lacks.Select(lack => $"<li>{Escaped(lack)}</li>")).Append("</ul>\n");
        foreach (var other in sets.Skip(1))
        {
            text.Append($"<h2>{Escaped(other.Situation.Words)}</h2>\n<p>{Escaped(Assumptions(other))}</p>\n");
            Table(text, other);
        }

        return text.Append("</main></body></html>\n").ToString();
    }

    // The reasons not to trust the table come before it.
    private static IEnumerable<string> Cautions(AnswerSet set, Backtest? backtest)
    {
        if (set.Kind.Fit is { IsBounded: false })
            yield return "The history does not show how much one server can serve, so that the ranges are wide.";
        if (backtest is { IsAttainedWithin: false })
            yield return "The backtest failed: the model did not foretell the percentile that was measured.";
        if (backtest is null)
            yield return "The model is not tested against a part of the history.";
    }

    private static string Assumptions(AnswerSet set)
    {
        var situation = set.Situation;
        var most = situation.Most == int.MaxValue ? "any number of" : FormattableString.Invariant($"at most {situation.Most}");
        return FormattableString.Invariant($"Servers: {set.Kind.Name}; a new one serves after {situation.Boot.TotalSeconds:0.#} s, and is paid for each started {situation.Charge.TotalMinutes:0.##} min, at {set.Kind.PriceOfHour(situation):0.####} an hour. At least {situation.Least} and {most} servers. Load × {situation.Scale:0.##}.");
    }

    private static void Table(StringBuilder text, AnswerSet set)
    {
        text.Append("<table><thead><tr>").AppendJoin("", AnswerTable.Columns.Select(column => $"<th>{Escaped(column)}</th>")).Append("<th>servers over time</th></tr></thead><tbody>\n");
        var most = set.Answers.SelectMany(answer => answer.Best.Over).Where(double.IsFinite).Max();
        if (set.Measured is { } measured)
            Row(text, "recorded", AnswerTable.Cells(measured), measured, most, set);
        foreach (var answer in set.Answers)
            Row(text, answer.Best.ViolatedMinutes > 0 ? "" : "met", AnswerTable.Cells(answer), answer.Best, most, set);
        text.Append("</tbody></table>\n");
    }

    private static void Row(StringBuilder text, string style, IReadOnlyList<string> cells, Outcome outcome, double most, AnswerSet set)
    {
        text.Append(style.Length > 0 ? $"<tr class=\"{style}\">" : "<tr>");
        foreach (var cell in cells)
        {
            var bracket = cell.IndexOf(" (", StringComparison.Ordinal);
            text.Append(bracket > 0 && cell != cells[0] ? $"<td>{Escaped(cell[..bracket])}<br><small>{Escaped(cell[(bracket + 2)..^1])}</small></td>" : $"<td>{Escaped(cell)}</td>");
        }

        text.Append("<td class=\"spark\">").Append(Sparkline.Of(outcome.Over, most, outcome.SlowShares, set.Situation.Objective.SlowBudget)).Append("</td></tr>\n");
    }

    private static void Figure(StringBuilder text, string title, Chart chart) => text.Append($"<figure><figcaption>{title}</figcaption>\n{chart.Svg()}</figure>\n");

    private static Chart LoadChart(ServiceHistory history)
    {
        var chart = OverTime(history, "requests/s");
        foreach (var gap in history.Gaps())
            chart.Shade("unknown", Hours(history, gap.First), Hours(history, gap.First + gap.Count));
        return chart.Line("load", Middles(history, history.Steps), [.. Enumerable.Range(0, history.Steps).Select(history.Rate)]);
    }

    private static Chart ServersChart(ServiceHistory history, AnswerSet set)
    {
        var chart = OverTime(history, "servers");
        if (history.Replicas.Any(double.IsFinite))
            chart.Line("as recorded", Middles(history, history.Steps), history.Replicas, isDashed: true, color: 7);
        foreach (var (i, name) in Charted.Index())
        {
            var over = set.Answers.First(answer => answer.Rule.Words == name).Best.Over;
            var step = (history.End - history.Start).TotalHours / over.Count;
            chart.Line(name, [.. Enumerable.Range(0, over.Count).Select(at => Hours(history, 0) + (at + 0.5) * step)], over, color: i);
        }

        return chart;
    }

    private static Chart LatencyChart(ProductionFit fit, ServiceObjective objective)
    {
        double Slow(QueueCurve curve, double load) => 100 * FittedModel.At(curve.Bounds, fit.Slow(curve, load), objective.Threshold.TotalSeconds);
        const int points = 120;
        var most = Math.Max(fit.HighestLoad * 1.2, Math.Min(fit.Best.Saturation * 1.05, fit.HighestLoad * 3));
        double[] measured = [.. Enumerable.Range(0, points).Select(i => fit.HighestLoad * i / (points - 1))];
        double[] beyond = [.. Enumerable.Range(0, points).Select(i => fit.HighestLoad + (most - fit.HighestLoad) * i / (points - 1))];
        double Shown(double share) => Math.Min(share, 500 * objective.SlowBudget);
        return new Chart("reads/s of one server (a write counts as the reads that cost as much)", FormattableString.Invariant($"% slower than {objective.Threshold.TotalMilliseconds:0.###} ms"))
            .Line("model, as measured", measured, [.. measured.Select(load => Shown(Slow(fit.Best, load)))], color: 0)
            .Line("model, extrapolated", beyond, [.. beyond.Select(load => Shown(Slow(fit.Best, load)))], isDashed: true, color: 0)
            .Band("range of models", beyond, [.. beyond.Select(load => Shown(Slow(fit.High, load)))], [.. beyond.Select(load => Shown(Slow(fit.Low, load)))], color: 0)
            .Points("measured", [.. fit.Classes.Select(one => one.Load)], [.. fit.Classes.Select(one => Shown(100 * FittedModel.At(fit.Best.Bounds, one.Slow, objective.Threshold.TotalSeconds)))], color: 1)
            .Line("allowed", [0, most], [100 * objective.SlowBudget, 100 * objective.SlowBudget], isDashed: true, color: 4);
    }

    private static Chart CostChart(AnswerSet set)
    {
        var chart = new Chart("cost", "violated minutes");
        foreach (var answer in set.Answers)
            chart.Points(answer.Rule.Words, [answer.Best.Cost], [answer.Best.ViolatedMinutes]);
        return chart;
    }

    private static Chart BacktestChart(Backtest backtest, ServiceHistory history)
    {
        var shares = backtest.Measured.SlowShares;
        var step = (history.End - backtest.From).TotalHours / shares.Count;
        double[] times = [.. Enumerable.Range(0, shares.Count).Select(i => (backtest.From - Midnight(history)).TotalHours + (i + 0.5) * step)];
        return OverTime(history, "% of reads")
            .Line("measured", times, [.. shares.Select(share => 100 * share)], color: 1)
            .Line("predicted", times, [.. Enumerable.Range(0, times.Length).Select(i => i < backtest.Predicted.Best.SlowShares.Count ? 100 * backtest.Predicted.Best.SlowShares[i] : double.NaN)], color: 0);
    }

    private static Chart OverTime(ServiceHistory history, string vertical)
    {
        var midnight = Midnight(history);
        var isLong = history.End - history.Start > TimeSpan.FromDays(2);
        return new Chart("time (UTC)", vertical) { Steps = TimeSteps, Label = hours => (midnight + TimeSpan.FromMinutes(Math.Round(hours * 60))).ToString(isLong ? "MM-dd HH:mm" : "HH:mm", CultureInfo.InvariantCulture) };
    }

    private static DateTimeOffset Midnight(ServiceHistory history) => new(history.Start.UtcDateTime.Date, TimeSpan.Zero);

    private static double Hours(ServiceHistory history, double step) => (history.Start - Midnight(history)).TotalHours + step * history.StepSeconds / 3_600;

    private static double[] Middles(ServiceHistory history, int steps) => [.. Enumerable.Range(0, steps).Select(step => Hours(history, step + 0.5))];

    private static string Time(DateTimeOffset time) => time.ToString("yyyy-MM-dd HH:mm 'UTC'", CultureInfo.InvariantCulture);

    private static string Resource(string name)
    {
        using var reader = new StreamReader(typeof(AnswersPage).Assembly.GetManifestResourceStream(name)!);
        return reader.ReadToEnd();
    }

    private static string Escaped(string text) => WebUtility.HtmlEncode(text);
}
