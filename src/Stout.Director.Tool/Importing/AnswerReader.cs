namespace Stout.Director.Tool.Importing;

/// <summary>Reads answers of Prometheus into series on the steps of an import.</summary>
internal static class AnswerReader
{
    /// <summary>Adds the samples of an answer to a set.</summary>
    /// <exception cref="ImportException">The answer can't be used.</exception>
    public static void ReadInto(SeriesSet set, Stream stream, string place, bool areCounters)
    {
        var tokens = new JsonTokens(stream, place);
        var answer = new PrometheusAnswer(tokens, place);
        IReadOnlyDictionary<string, string>? last = null;
        Series? series = null;
        answer.Read((labels, time, value) =>
        {
            if (!ReferenceEquals(labels, last))
            {
                if (!areCounters && labels.TryGetValue("__name__", out var metric) && (metric.EndsWith("_bucket", StringComparison.Ordinal) || metric.EndsWith("_count", StringComparison.Ordinal) || metric.EndsWith("_total", StringComparison.Ordinal)))
                    throw new ImportException(place, $"{metric} is a counter, not a rate. Ask for rate({metric}…), or give --counters.");
                series = set.Of(last = labels);
            }

            if (!double.IsFinite(value))
                throw new ImportException(tokens.Place, $"{series!.Words} is {value.ToString(System.Globalization.CultureInfo.InvariantCulture)} at {Grid.Words(time)}.");
            if (value < 0)
                throw new ImportException(tokens.Place, FormattableString.Invariant($"{series!.Words} is {value} at {Grid.Words(time)}: negative."));
            var index = set.Grid.EndingAt(time);
            if (index < 0)
                throw set.Grid.NoStep(time, tokens.Place);
            if (!double.IsNaN(series!.Values[index]))
                throw new ImportException(tokens.Place, $"{series.Words} has {Grid.Words(time)} twice.");
            series.Values[index] = value;
        });
        set.Warnings.AddRange(answer.Warnings);
    }

    /// <summary>The first and the last time, and the smallest difference of two times, of an answer in a file.</summary>
    /// <exception cref="ImportException">The file is no answer, or has no samples.</exception>
    public static (double First, double Last, double Step) Times(FileInfo file)
    {
        using var stream = file.OpenRead();
        var (first, last, step) = (double.PositiveInfinity, double.NegativeInfinity, double.PositiveInfinity);
        IReadOnlyDictionary<string, string>? series = null;
        var before = 0.0;
        new PrometheusAnswer(new JsonTokens(stream, file.Name), file.Name).Read((labels, time, _) =>
        {
            if (ReferenceEquals(labels, series))
                step = Math.Min(step, time - before);
            (series, before, first, last) = (labels, time, Math.Min(first, time), Math.Max(last, time));
        });
        return double.IsFinite(first) ? (first, last, step) : throw Empty(file.Name);
    }

    public static ImportException Empty(string place) => new(place, "the answer has no samples. That does not mean that there was no load: check names, labels and times.");
}
