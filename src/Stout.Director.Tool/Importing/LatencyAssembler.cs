using System.Globalization;
using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Importing;

/// <summary>Makes one server's history from its cumulative histograms.</summary>
internal sealed class LatencyAssembler(string place, Grid grid, ImportSettings settings, string server)
{
    // Rates of cumulative buckets may differ by rounding.
    private const double Tolerance = 1e-6;

    private readonly double[] _reads = Unknown(grid.Steps);
    private readonly double[] _writes = Unknown(grid.Steps);
    private readonly double[]?[] _latency = new double[grid.Steps][];

    public double[] Buckets { get; private set; } = [];

    /// <summary>Adds the buckets of one histogram.</summary>
    /// <exception cref="ImportException">The histogram lacks +Inf, is not cumulative, or its buckets change.</exception>
    public void Add(IReadOnlyList<Series> series)
    {
        var ordered = series.Select(one => (Bound: Bound(one), Series: one)).OrderBy(one => one.Bound).ToList();
        if (!double.IsPositiveInfinity(ordered[^1].Bound))
            throw new ImportException(place, $"the histogram {series[0].Words} has no bucket +Inf.");
        double[] bounds = [.. ordered.SkipLast(1).Select(one => one.Bound)];
        if (Buckets.Length > 0 && !Buckets.SequenceEqual(bounds))
            throw new ImportException(place, $"the histogram {series[0].Words} has other buckets than others of server \"{server}\".");
        Buckets = bounds;
        var isRead = settings.IsRead(series[0]);
        for (var step = 0; step < grid.Steps; step++)
        {
            var present = ordered.Count(one => !double.IsNaN(one.Series.Values[step]));
            if (present == 0)
                continue;
            if (present < ordered.Count)
                throw new ImportException(place, $"the buckets of {series[0].Words} change: at {Time(step)} it has {present} of {ordered.Count}. Import a time in which they are the same.");
            Add(step, ordered, isRead);
        }
    }

    public ServerHistory Make(string name) => new()
    {
        Name = name,
        Reads = [.. _reads.Select(Rounded)],
        Writes = [.. _writes.Select(Rounded)],
        Latency = [.. _latency.Select(row => row?.Select(Rounded).ToArray())],
    };

    /// <summary>A number with six digits.</summary>
    public static double Rounded(double value) =>
        double.IsFinite(value) ? double.Parse(value.ToString("G6", CultureInfo.InvariantCulture), CultureInfo.InvariantCulture) : value;

    private void Add(int step, List<(double Bound, Series Series)> ordered, bool isRead)
    {
        if (double.IsNaN(_reads[step]))
            (_reads[step], _writes[step]) = (0, 0);
        var all = ordered[^1].Series.Values[step];
        if (!isRead)
        {
            _writes[step] += all;
            return;
        }

        _reads[step] += all;
        var row = _latency[step] ??= new double[ordered.Count];
        var before = 0.0;
        for (var i = 0; i < ordered.Count; i++)
        {
            var now = ordered[i].Series.Values[step];
            if (now < before - Tolerance * (1 + before))
                throw new ImportException(place, FormattableString.Invariant($"the histogram {ordered[i].Series.Words} is not cumulative: {now} at {Time(step)}, and the bucket below has {before}."));
            row[i] += Math.Max(0, now - before);
            before = Math.Max(before, now);
        }
    }

    private double Bound(Series series)
    {
        var text = series.Label("le");
        if (text is "+Inf" or "inf" or "Inf")
            return double.PositiveInfinity;
        return double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var bound) && bound > 0 && double.IsFinite(bound)
            ? bound
            : throw new ImportException(place, text.Length == 0 ? $"{series.Words} has no label le: a histogram's buckets are needed." : $"the bucket le=\"{text}\" is not a number above 0.");
    }

    private string Time(int step) => Grid.Words(grid.Start + (step + 1) * grid.Step);

    private static double[] Unknown(int count)
    {
        var values = new double[count];
        Array.Fill(values, double.NaN);
        return values;
    }
}
