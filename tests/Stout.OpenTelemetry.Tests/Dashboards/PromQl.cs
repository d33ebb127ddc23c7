using System.Text.RegularExpressions;

namespace Stout.OpenTelemetry.Tests.Dashboards;

/// <summary>The metrics, labels and values in an expression of Prometheus' query language.</summary>
internal static partial class PromQl
{
    private static readonly string[] Keywords = ["by", "without", "on", "ignoring", "unless", "and", "or", "bool", "offset", "group_left", "group_right"];

    /// <summary>The names of the metrics.</summary>
    public static IReadOnlyList<string> MetricsOf(string expression) =>
        [.. Identifier().Matches(WithoutLabels(expression)).Select(static match => match.Value).Where(static name => !Keywords.Contains(name)).Distinct()];

    /// <summary>The labels of each selector, with the metric that they select, and the values that they name.</summary>
    public static IEnumerable<(string Metric, string Label, IReadOnlyList<string> Values)> SelectorsOf(string expression) =>
        from selector in Selector().Matches(expression)
        from matcher in Matcher().Matches(selector.Groups["matchers"].Value)
        select (selector.Groups["metric"].Value, matcher.Groups["label"].Value, (IReadOnlyList<string>)matcher.Groups["value"].Value.Split('|'));

    /// <summary>The labels by which the expression groups or joins.</summary>
    public static IEnumerable<string> GroupingLabelsOf(string expression) =>
        Grouping().Matches(expression).SelectMany(static grouping => grouping.Groups["labels"].Value.Split(',', StringSplitOptions.TrimEntries));

    private static string WithoutLabels(string expression) => Grouping().Replace(Braces().Replace(expression, " "), " ");

    // A name followed by a parenthesis is a function. Letters inside a number or after a variable's $ are no name.
    [GeneratedRegex(@"(?<![\w$.])[a-z_:][a-z0-9_:]*(?!\w)(?!\s*\()", RegexOptions.IgnoreCase)]
    private static partial Regex Identifier();

    [GeneratedRegex(@"(?<metric>[a-z_:][a-z0-9_:]*)\{(?<matchers>[^}]*)\}", RegexOptions.IgnoreCase)]
    private static partial Regex Selector();

    [GeneratedRegex("(?<label>\\w+)\\s*=~?\\s*\"(?<value>[^\"]*)\"")]
    private static partial Regex Matcher();

    [GeneratedRegex(@"\b(by|without|on|ignoring)\s*\((?<labels>[^)]*)\)")]
    private static partial Regex Grouping();

    [GeneratedRegex(@"\{[^}]*\}|\[[^\]]*\]|""[^""]*""")]
    private static partial Regex Braces();
}
