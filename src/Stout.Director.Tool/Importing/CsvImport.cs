using System.Globalization;

namespace Stout.Director.Tool.Importing;

/// <summary>
/// Reads CSV files with a row for each step, server and bin. Each has the columns <c>time</c>, the beginning of the step, and <c>reads</c> or <c>requests</c>.
/// Further columns are optional: <c>server</c>, <c>bin</c>, <c>writes</c>, <c>servers</c>, <c>utilization</c>. A column named by a threshold in ms has the share
/// of slower reads.
/// </summary>
internal sealed class CsvImport
{
    /// <summary>The labels of the series that the rows become.</summary>
    public static readonly ImportSettings Labels = new("server", "method", "bin", AllReads: false);

    private static readonly string[] Known = ["time", "reads", "requests", "writes", "server", "bin", "servers", "utilization"];

    private readonly FileInfo _file;
    private readonly CsvTable _table;
    private readonly CsvTimes _times;
    private readonly IReadOnlyList<string> _columns;
    private readonly List<(int Column, string Bound)> _thresholds = [];

    /// <exception cref="ImportException">The file lacks a column, or has an unknown one.</exception>
    public CsvImport(FileInfo file, bool isUtc)
    {
        (_file, _table, _times) = (file, new CsvTable(file), new CsvTimes(isUtc));
        _columns = _table.Columns();
        if (!Has("time"))
            throw new ImportException(_table.Place(1), "the column \"time\" is missing.");
        for (var i = 0; i < _columns.Count; i++)
        {
            if (Known.Contains(_columns[i]))
                continue;
            if (!double.TryParse(_columns[i], NumberStyles.Float, CultureInfo.InvariantCulture, out var threshold) || !(threshold > 0) || !double.IsFinite(threshold))
                throw new ImportException(_table.Place(1), $"the column \"{_columns[i]}\" is not known. Columns are {string.Join(", ", Known)}, and thresholds in ms.");
            _thresholds.Add((i, (threshold / 1000).ToString(CultureInfo.InvariantCulture)));
        }

        if (!Has("reads") && !Has("requests"))
            throw new ImportException(_table.Place(1), "the column \"reads\" (or \"requests\") is missing.");
    }

    /// <summary>The file's name.</summary>
    public string Name => _file.Name;

    /// <summary>Whether the rows name bins.</summary>
    public bool HasBins => Has("bin");

    /// <summary>Whether the rows name servers, or tell latency.</summary>
    public bool HasServers => Has("server") || _thresholds.Count > 0;

    /// <summary>The first and the last time, and the smallest difference of two times of the same server and bin.</summary>
    /// <exception cref="ImportException">There are no rows, or times are unsorted.</exception>
    public (double First, double Last, double Step) Times()
    {
        var (first, last, step) = (double.PositiveInfinity, double.NegativeInfinity, double.PositiveInfinity);
        var before = new Dictionary<string, double>();
        foreach (var (line, cells) in _table.Rows())
        {
            var time = _times.Read(cells[Index("time")], _table.Place(line));
            var key = Text(cells, "server") + '\n' + Text(cells, "bin");
            if (before.TryGetValue(key, out var previous))
            {
                if (time == previous)
                    throw new ImportException(_table.Place(line), $"{Grid.Words(time)} is there twice.");
                if (time < previous)
                    throw new ImportException(_table.Place(line), $"{Grid.Words(time)} comes after {Grid.Words(previous)}. Times have to ascend.");
                step = Math.Min(step, time - previous);
            }

            (before[key], first, last) = (time, Math.Min(first, time), Math.Max(last, time));
        }

        return double.IsFinite(first) ? (first, last, step) : throw new ImportException(_table.Place(2), "there are no rows. That does not mean that there was no load.");
    }

    /// <summary>Reads the rows into series.</summary>
    /// <exception cref="ImportException">A cell can't be used.</exception>
    public (SeriesSet? Latency, SeriesSet? Load, SeriesSet? Replicas, SeriesSet? Utilization) Read(Grid grid)
    {
        var latency = HasServers ? new SeriesSet(Name, grid) : null;
        var load = HasBins || !HasServers ? new SeriesSet(Name, grid) : null;
        var replicas = Has("servers") ? new SeriesSet(Name, grid) : null;
        var utilization = Has("utilization") ? new SeriesSet(Name, grid) : null;
        foreach (var (line, cells) in _table.Rows())
        {
            var place = _table.Place(line);
            var time = _times.Read(cells[Index("time")], place);
            var step = grid.StartingAt(time);
            if (step < 0)
                throw grid.NoStep(time, place);
            var reads = Number(cells, Has("reads") ? "reads" : "requests", place);
            var writes = Has("writes") ? Number(cells, "writes", place) : 0;
            var server = Text(cells, "server");
            if (latency is not null)
                AddLatency(latency, step, cells, server, reads, writes, place);
            foreach (var (method, value) in new[] { ("GET", reads), ("POST", writes) })
            {
                if (load is not null)
                    Add(load, step, Bin(cells, place), method, "", value);
            }

            if (replicas is not null)
                Set(replicas.Of(new Dictionary<string, string>()), step, Number(cells, "servers", place), place);
            if (utilization is not null)
                Set(utilization.Of(new Dictionary<string, string> { ["server"] = server }), step, Number(cells, "utilization", place), place);
        }

        return (latency, load, replicas, utilization);
    }

    private void AddLatency(SeriesSet set, int step, string[] cells, string server, double reads, double writes, string place)
    {
        foreach (var (column, bound) in _thresholds)
        {
            var share = Number(cells, _columns[column], place);
            if (share > 1)
                throw new ImportException(place, $"\"{cells[column]}\" in column \"{_columns[column]}\" is not a share from 0 to 1.");
            AddBucket(bound, reads * (1 - share), writes);
        }

        AddBucket("+Inf", reads, writes);

        void AddBucket(string bound, double fast, double written)
        {
            Add(set, step, server, "GET", bound, fast, "server");
            Add(set, step, server, "POST", bound, written, "server");
        }
    }

    private static void Add(SeriesSet set, int step, string key, string method, string bound, double value, string label = "bin")
    {
        var labels = new Dictionary<string, string> { [label] = key, ["method"] = method };
        if (bound.Length > 0)
            labels["le"] = bound;
        var values = set.Of(labels).Values;
        values[step] = double.IsNaN(values[step]) ? value : values[step] + value;
    }

    private static void Set(Series series, int step, double value, string place)
    {
        if (!double.IsNaN(series.Values[step]) && series.Values[step] != value)
            throw new ImportException(place, FormattableString.Invariant($"{value}, and another row of this time has {series.Values[step]}."));
        series.Values[step] = value;
    }

    private string Bin(string[] cells, string place)
    {
        if (!HasBins)
            return "all";
        var bin = Text(cells, "bin");
        return bin.Length > 0 ? bin : throw new ImportException(place, "the bin has no name.");
    }

    private double Number(string[] cells, string column, string place)
    {
        var text = cells[Index(column)];
        if (!double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) || !double.IsFinite(number))
            throw new ImportException(place, text.Length == 0 ? $"the cell of column \"{column}\" is empty. Leave out the row if the number is unknown." : $"\"{text}\" in column \"{column}\" is not a finite number.");
        return number >= 0 ? number : throw new ImportException(place, $"\"{text}\" in column \"{column}\" is negative.");
    }

    private string Text(string[] cells, string column) => Has(column) ? cells[Index(column)] : "";

    private bool Has(string column) => _columns.Contains(column);

    private int Index(string column)
    {
        for (var i = 0; i < _columns.Count; i++)
        {
            if (_columns[i] == column)
                return i;
        }

        return -1;
    }
}
