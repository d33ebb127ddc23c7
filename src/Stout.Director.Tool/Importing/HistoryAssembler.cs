using System.Globalization;
using Stout.Director.Tool.Histories;

namespace Stout.Director.Tool.Importing;

/// <summary>Makes a history from answers: latency by server, load by bin, the number of servers, and their utilization.</summary>
internal sealed class HistoryAssembler(Grid grid, ImportSettings settings)
{
    // A server without samples for at most this many steps, between two steps with samples, has lost them: its load is unknown and not 0.
    private const int LongestLoss = 5;

    private readonly List<string> _lacks = [];
    private readonly List<ServerHistory> _servers = [];
    private readonly List<string> _sources = [];
    private double[] _buckets = [];
    private List<BinHistory>? _bins;
    private double[]? _replicas;

    /// <summary>Takes histograms of latency: cumulative rates by the label le.</summary>
    /// <exception cref="ImportException">A histogram lacks +Inf, is not cumulative, or has other buckets than the rest.</exception>
    public void TakeLatency(SeriesSet set)
    {
        Note(set);
        foreach (var group in set.All.GroupBy(series => series.Label(settings.ServerLabel)))
        {
            var server = new LatencyAssembler(set.Place, grid, settings, group.Key);
            foreach (var method in group.GroupBy(series => string.Join('\n', series.Labels.Where(label => label.Key != "le").Select(label => label.Key + label.Value))))
                server.Add([.. method]);
            if (_buckets.Length == 0)
                _buckets = server.Buckets;
            if (!_buckets.SequenceEqual(server.Buckets))
                throw new ImportException(set.Place, $"server \"{group.Key}\" has the buckets {Words(server.Buckets)}, and others have {Words(_buckets)}. Import a time in which they are the same.");
            _servers.Add(server.Make(group.Key.Length > 0 ? group.Key : "all"));
        }

        if (_servers is [{ Name: "all" }])
            _lacks.Add($"Latency by server: no series has the label \"{settings.ServerLabel}\". The load of a server is taken to be that of the mean server.");
        if (!settings.AllReads && set.All.All(series => series.Label(settings.MethodLabel).Length == 0))
            _lacks.Add($"Reads and writes: no series has the label \"{settings.MethodLabel}\". All requests count as reads.");
    }

    /// <summary>Takes rates of requests by bin.</summary>
    public void TakeLoad(SeriesSet set)
    {
        Note(set);
        var label = settings.BinLabel;
        _bins = [.. set.All.GroupBy(series => label is null ? "all" : series.Label(label)).OrderBy(group => group.Key, StringComparer.Ordinal).Select(group => new BinHistory
        {
            Name = group.Key,
            Reads = Sum(set, group.Where(settings.IsRead)),
            Writes = Sum(set, group.Where(series => !settings.IsRead(series))),
        })];
        if (label is not null && set.All.All(series => series.Label(label).Length == 0))
            throw new ImportException(set.Place, $"no series has the label \"{label}\", which is to name the bins.");
    }

    /// <summary>Takes the number of servers.</summary>
    public void TakeReplicas(SeriesSet set)
    {
        Note(set);
        _replicas = Sum(set, set.All);
    }

    /// <summary>Takes the utilization of each server's processor, from 0 to 1.</summary>
    public void TakeUtilization(SeriesSet set)
    {
        Note(set);
        for (var i = 0; i < _servers.Count; i++)
        {
            var series = set.All.Where(one => one.Label(settings.ServerLabel) is var name && (name == _servers[i].Name || _servers[i].Name == "all")).ToList();
            if (series.Count > 0)
                _servers[i] = _servers[i] with { Utilization = Mean(series) };
            else
                _lacks.Add($"The utilization of server \"{_servers[i].Name}\".");
        }
    }

    /// <summary>The history.</summary>
    /// <exception cref="ImportException">There is no load.</exception>
    public ServiceHistory Make()
    {
        var replicas = _replicas ?? [.. Enumerable.Range(0, grid.Steps).Select(step => _servers.Count(server => !double.IsNaN(server.Reads[step])) is > 0 and var count && _servers[0].Name != "all" ? count : double.NaN)];
        if (_replicas is null && (_servers.Count == 0 || _servers[0].Name == "all"))
            _lacks.Add("The number of servers over time.");
        else if (_replicas is null)
            _lacks.Add("The number of servers over time: the servers that have samples are counted.");
        if (_servers.Count == 0)
            _lacks.Add("Latency: a model can't be made, so whatif needs --types.");
        if (_servers.Count > 0 && _servers.TrueForAll(server => server.Utilization is null))
            _lacks.Add("Utilization: autoscalers are taken to see the load as a share of the load at which queues grow.");
        var bins = _bins ?? Total();
        var history = new ServiceHistory
        {
            Sources = _sources,
            Lacks = [],
            Start = DateTimeOffset.FromUnixTimeMilliseconds((long)Math.Round(grid.Start * 1000)),
            StepSeconds = grid.Step,
            Steps = grid.Steps,
            Buckets = _buckets,
            Bins = [.. bins.Select(bin => bin with { Reads = Rounded(bin.Reads), Writes = Rounded(bin.Writes) })],
            Servers = [.. _servers.Select(server => server.Name == "all" && _replicas is not null ? server with { Count = _replicas } : server)],
            Replicas = replicas,
        };
        var gaps = history.Gaps();
        if (gaps.Sum(gap => gap.Count) == grid.Steps)
            throw new ImportException(_sources.Count > 0 ? _sources[0] : "import", "no step has a known load.");
        if (gaps.Count > 0)
            _lacks.Add(FormattableString.Invariant($"The load of {gaps.Sum(gap => gap.Count)} of {grid.Steps} steps, in {gaps.Count} gaps; the longest begins at {Grid.Words(history.At(gaps.MaxBy(gap => gap.Count).First).ToUnixTimeSeconds())} and has {gaps.Max(gap => gap.Count)} steps."));
        return history with { Lacks = [.. _lacks] };
    }

    private void Note(SeriesSet set)
    {
        _sources.Add(set.Place);
        _lacks.AddRange(set.Warnings.Select(warning => $"{set.Place}: Prometheus warns: {warning}"));
        if (set.Resets > 0)
            _lacks.Add($"{set.Place}: counters began anew {set.Resets} times; what they counted between their last sample and that is lost.");
    }

    // The load of all servers. Where a server has lost samples, the total is unknown.
    private List<BinHistory> Total()
    {
        if (_servers.Count == 0)
            throw new ImportException("import", "no load: give --rate or --latency.");
        var (reads, writes) = (new double[grid.Steps], new double[grid.Steps]);
        var lost = new bool[grid.Steps];
        foreach (var server in _servers)
        {
            var losses = Losses(server.Reads).Where(step => _servers.Exists(other => !double.IsNaN(other.Reads[step]))).ToList();
            foreach (var step in losses)
                lost[step] = true;
            if (losses.Count > 0)
                _lacks.Add($"{losses.Count} steps of server \"{server.Name}\", between steps that it has.");
        }

        for (var step = 0; step < grid.Steps; step++)
        {
            var present = _servers.Where(server => !double.IsNaN(server.Reads[step])).ToList();
            var isKnown = present.Count > 0 && !lost[step] && !(_replicas is not null && _servers[0].Name != "all" && _replicas[step] > present.Count);
            reads[step] = isKnown ? present.Sum(server => server.Reads[step]) : double.NaN;
            writes[step] = isKnown ? present.Sum(server => server.Writes[step]) : double.NaN;
        }

        return [new BinHistory { Name = "all", Reads = reads, Writes = writes }];
    }

    private static List<int> Losses(double[] values)
    {
        var losses = new List<int>();
        var last = -1;
        for (var step = 0; step < values.Length; step++)
        {
            if (double.IsNaN(values[step]))
                continue;
            if (last >= 0 && step - last - 1 is > 0 and <= LongestLoss)
                losses.AddRange(Enumerable.Range(last + 1, step - last - 1));
            last = step;
        }

        return losses;
    }

    // Where any series of the answer has a sample, a series without one has counted nothing; otherwise the sum is unknown.
    private double[] Sum(SeriesSet set, IEnumerable<Series> series)
    {
        var sums = new double[grid.Steps];
        foreach (var one in series)
        {
            for (var step = 0; step < sums.Length; step++)
                sums[step] += double.IsNaN(one.Values[step]) ? 0 : one.Values[step];
        }

        for (var step = 0; step < sums.Length; step++)
        {
            if (!set.HasAny(step))
                sums[step] = double.NaN;
        }

        return sums;
    }

    private double[] Mean(List<Series> series) =>
        [.. Enumerable.Range(0, grid.Steps).Select(step => series.Select(one => one.Values[step]).Where(value => !double.IsNaN(value)).DefaultIfEmpty(double.NaN).Average())];

    private static double[] Rounded(double[] values) => [.. values.Select(LatencyAssembler.Rounded)];

    private static string Words(double[] buckets) => string.Join(", ", buckets.Select(bound => bound.ToString(CultureInfo.InvariantCulture)));
}
