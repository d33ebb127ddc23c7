namespace Stout.Director.Tool.Importing;

/// <summary>The answer to one query on the steps of an import.</summary>
internal sealed class SeriesSet(string place, Grid grid)
{
    // 30 million numbers take 240 MB.
    private const long MostValues = 30_000_000;

    private readonly Dictionary<string, Series> _series = [];

    /// <summary>The query or file.</summary>
    public string Place => place;

    public Grid Grid => grid;

    public IReadOnlyCollection<Series> All => _series.Values;

    /// <summary>Warnings of the server.</summary>
    public List<string> Warnings { get; } = [];

    /// <summary>The times that counters were found to begin anew.</summary>
    public int Resets { get; private set; }

    /// <summary>The series of a set of labels; a new one at the first call.</summary>
    /// <exception cref="ImportException">The series would take too much memory.</exception>
    public Series Of(IReadOnlyDictionary<string, string> labels)
    {
        var key = string.Join('\n', labels.OrderBy(label => label.Key, StringComparer.Ordinal).Select(label => label.Key + '=' + label.Value));
        if (_series.TryGetValue(key, out var series))
            return series;
        if ((_series.Count + 1L) * grid.Steps > MostValues)
            throw new ImportException(place, $"more than {MostValues:#,0} numbers. Import a shorter time, a longer step, or fewer labels.");
        var values = new double[grid.Steps];
        Array.Fill(values, double.NaN);
        return _series[key] = new Series(labels, values);
    }

    /// <summary>Turns counters into rates per second. A counter that falls has begun anew from 0, as in Prometheus.</summary>
    public void Differentiate()
    {
        foreach (var series in _series.Values)
        {
            var before = double.NaN;
            for (var step = 0; step < series.Values.Length; step++)
            {
                var now = series.Values[step];
                if (now < before)
                    Resets++;
                series.Values[step] = (now < before ? now : now - before) / grid.Step;
                before = now;
            }
        }
    }

    /// <summary>Whether any series has a value in a step.</summary>
    public bool HasAny(int step) => _series.Values.Any(series => !double.IsNaN(series.Values[step]));
}
