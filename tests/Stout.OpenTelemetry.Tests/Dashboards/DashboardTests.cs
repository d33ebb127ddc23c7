using System.Text.Json;
using System.Text.RegularExpressions;

namespace Stout.OpenTelemetry.Tests.Dashboards;

/// <summary>The dashboard and the alert rules name metrics, labels and values that a service has.</summary>
public sealed partial class DashboardTests
{
    private static readonly string Folder = Path.Combine(Root(), "deploy", "dashboards");
    private static readonly string Alerts = File.ReadAllText(Path.Combine(Folder, "stout-alerts.yaml"));
    private static readonly string Page = File.ReadAllText(Path.Combine(Root(), "docs", "telemetry.md"));

    // The labels that Prometheus itself adds to series.
    private static readonly string[] OfPrometheus = ["job", "instance", "le"];

    [Fact]
    public async Task Every_expression_names_metrics_and_labels_that_are_scraped()
    {
        await using var service = await TroubledService.StartAsync();
        await service.MakeTroubleAsync();
        await TroubledService.MakeCallbackTroubleAsync();
        await TroubledService.MakeDatabaseTroubleAsync();
        var scrape = await service.ScrapeAsync();

        var expressions = Expressions().ToList();
        Assert.NotEmpty(expressions);
        Assert.Empty(expressions.SelectMany(expression => Missing(expression, scrape)).Distinct());
    }

    [Fact]
    public void Every_alert_of_the_page_has_a_rule()
    {
        var names = Alert().Matches(Page[Page.IndexOf("## What to alert on", StringComparison.Ordinal)..]).Select(static row => row.Groups["metric"].Value).Distinct().ToList();
        Assert.NotEmpty(names);
        Assert.All(names, static name => Assert.Contains(name.Replace('.', '_'), Alerts, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("sum by (a) (rate(one_total{b=\"c\"}[5m])) / two > 0.5", "one_total two")]
    [InlineData("max(one) >= 0.4 unless on (a, b) two{c=~\"d|e\"}", "one two")]
    [InlineData("histogram_quantile(0.99, sum by (le) (rate(one_bucket[$__rate_interval])))", "one_bucket")]
    public void Metrics_of_an_expression_are_found(string expression, string metrics) => Assert.Equal(metrics.Split(' '), PromQl.MetricsOf(expression));

    [Fact]
    public void A_wrong_metric_label_or_value_is_found()
    {
        var scrape = new Scrape("# TYPE one counter\none_total{a=\"b\"} 1\n");
        Assert.Empty(Missing("sum by (a) (one_total{a=\"b\"})", scrape));
        Assert.NotEmpty(Missing("sum(one)", scrape));
        Assert.NotEmpty(Missing("one_total{c=\"b\"}", scrape));
        Assert.NotEmpty(Missing("sum by (c) (one_total)", scrape));
        Assert.NotEmpty(Missing("one_total{a=\"no value of the page\"}", scrape));
    }

    /// <summary>The parts of an expression that a service does not have. A value must occur in the scrape or on the page.</summary>
    private static IEnumerable<string> Missing(string expression, Scrape scrape)
    {
        var metrics = PromQl.MetricsOf(expression);
        foreach (var metric in metrics.Except(scrape.Metrics))
            yield return $"metric {metric}";
        foreach (var label in PromQl.GroupingLabelsOf(expression).Except(OfPrometheus).Where(label => !metrics.Any(metric => scrape.Has(metric, label))))
            yield return $"label {label} in {expression}";
        foreach (var (metric, label, values) in PromQl.SelectorsOf(expression))
        {
            if (!scrape.Has(metric, label))
                yield return $"label {label} of {metric}";
            foreach (var value in values.Where(value => !value.StartsWith('$') && !scrape.Has(metric, label, value) && !Page.Contains($"`{value}`", StringComparison.Ordinal)))
                yield return $"value {value} of {label}";
        }
    }

    private static IEnumerable<string> Expressions()
    {
        foreach (Match rule in Rule().Matches(Alerts))
            yield return rule.Groups["expression"].Value;
        using var dashboard = JsonDocument.Parse(File.ReadAllText(Path.Combine(Folder, "stout-dashboard.json")));
        foreach (var panel in dashboard.RootElement.GetProperty("panels").EnumerateArray())
        {
            if (!panel.TryGetProperty("targets", out var targets))
                continue;
            foreach (var target in targets.EnumerateArray())
                yield return target.GetProperty("expr").GetString()!;
        }

        foreach (var variable in dashboard.RootElement.GetProperty("templating").GetProperty("list").EnumerateArray())
        {
            if (Values().Match(variable.GetProperty("query").GetString()!) is { Success: true } values)
                yield return $"sum by ({values.Groups["label"].Value}) ({values.Groups["metric"].Value})";
        }
    }

    private static string Root()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder!.FullName, "Stout.sln")))
            folder = folder.Parent;
        return folder.FullName;
    }

    [GeneratedRegex(@"^\s*expr: (?<expression>.+)$", RegexOptions.Multiline)]
    private static partial Regex Rule();

    [GeneratedRegex(@"^label_values\((?<metric>.*), (?<label>\w+)\)$")]
    private static partial Regex Values();

    [GeneratedRegex(@"^\| `(?<metric>stout\.[a-z_.]+)`", RegexOptions.Multiline)]
    private static partial Regex Alert();
}
