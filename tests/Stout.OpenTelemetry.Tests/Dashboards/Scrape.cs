using System.Text.RegularExpressions;

namespace Stout.OpenTelemetry.Tests.Dashboards;

/// <summary>The series that Prometheus reads from a service: their names and labels.</summary>
internal sealed partial class Scrape
{
    private readonly Dictionary<string, List<Dictionary<string, string>>> _series = [];

    /// <param name="text">Prometheus' text format.</param>
    public Scrape(string text)
    {
        foreach (Match line in Sample().Matches(text))
        {
            if (!_series.TryGetValue(line.Groups["name"].Value, out var series))
                _series[line.Groups["name"].Value] = series = [];
            series.Add(Label().Matches(line.Groups["labels"].Value).ToDictionary(static label => label.Groups["name"].Value, static label => label.Groups["value"].Value));
        }
    }

    public IReadOnlyCollection<string> Metrics => _series.Keys;

    /// <summary>Whether any series of the metric has the label, with this value unless it is null.</summary>
    public bool Has(string metric, string label, string? value = null) =>
        _series.TryGetValue(metric, out var series) && series.Exists(labels => labels.TryGetValue(label, out var present) && (value is null || value == present));

    [GeneratedRegex(@"^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? [^ ]+", RegexOptions.Multiline)]
    private static partial Regex Sample();

    [GeneratedRegex("(?<name>\\w+)=\"(?<value>[^\"]*)\"")]
    private static partial Regex Label();
}
