using Stout.Director.Layouts;

namespace Stout.Director.Loads;

/// <summary>
/// Computes the clients' request rates of all bins from the servers' reports. Reports may be lost, late or repeated. A bin whose reports are missing
/// keeps its last rates. A server that does not report counts as silent, never as idle. Of several reports of one server the newest counts.
/// </summary>
internal sealed class ReportCollector(DirectorSettings settings)
{
    // A report of more visits than this many servers of its type can serve is an error. Servers refuse visits far below that.
    private const double MostLoad = 1_000;

    private sealed class Known
    {
        public long Sequence = long.MinValue;
        public TimeSpan Heard;
        public bool HeardNow;
    }

    private readonly Dictionary<int, Known> _servers = [];
    private readonly OperationRates[] _rates = new OperationRates[settings.Bins];
    private readonly bool[] _measured = new bool[settings.Bins];
    private readonly double[] _gets = new double[settings.Bins];
    private readonly double[] _puts = new double[settings.Bins];
    private readonly int[] _reporters = new int[settings.Bins];
    private readonly List<int> _bad = [];

    /// <summary>The clients' request rates of every bin. A bin without a report keeps its last known rates.</summary>
    public OperationRates[] Rates => _rates;

    /// <summary>Whether a bin has been measured at all.</summary>
    public bool IsMeasured(int bin) => _measured[bin];

    /// <summary>The servers whose last report had a number that is not finite, below 0 or impossibly large. Such a report does not count.</summary>
    public IReadOnlyList<int> Bad => _bad;

    /// <summary>Takes in the reports of one period.</summary>
    /// <returns>The number of reports that count.</returns>
    public int Add(TimeSpan now, ClusterObservation observation)
    {
        var policy = settings.Policy;
        Array.Clear(_gets);
        Array.Clear(_puts);
        Array.Clear(_reporters);
        _bad.Clear();
        var live = observation.Servers.Where(server => server.Phase == ServerPhase.Live).ToDictionary(server => server.Id, server => server.Type);
        foreach (var gone in _servers.Keys.Where(server => !live.ContainsKey(server)).ToList())
            _servers.Remove(gone);
        foreach (var server in live.Keys)
        {
            _servers.TryAdd(server, new Known { Heard = now });
            _servers[server].HeardNow = false;
        }

        var counted = 0;
        foreach (var report in observation.Reports.GroupBy(report => report.Server).Select(reports => reports.MaxBy(report => report.Sequence)!))
        {
            if (!_servers.TryGetValue(report.Server, out var known) || report.Sequence <= known.Sequence)
                continue;
            known.Sequence = report.Sequence;
            if (report.Age > policy.Period * policy.SilentAfter)
                continue;
            if (IsBad(report, live[report.Server]))
            {
                _bad.Add(report.Server);
                continue;
            }

            (known.Heard, known.HeardNow) = (now, true);
            counted++;
            foreach (var visits in report.Visits)
            {
                if ((uint)visits.Bin >= (uint)settings.Bins)
                    throw new UnknownBinException(visits.Bin, settings.Bins);
                _gets[visits.Bin] += visits.Gets;
                _puts[visits.Bin] += visits.Puts;
                _reporters[visits.Bin]++;
            }
        }

        for (var bin = 0; bin < _rates.Length; bin++)
        {
            if (_reporters[bin] == 0)
                continue;
            var replicas = Math.Max(observation.Layout.Replicas(bin).Length, 1);
            var fanOut = Math.Min(policy.ReadFanOut, replicas);
            // A replica whose server has not reported is assumed to have the mean visits of the bin's other replicas.
            var scale = _reporters[bin] < replicas ? (double)replicas / _reporters[bin] : 1;
            _rates[bin] = new OperationRates(_gets[bin] * scale / fanOut, _puts[bin] / _reporters[bin]);
            _measured[bin] = true;
        }

        return counted;
    }

    private bool IsBad(ServerReport report, string type)
    {
        var most = MostLoad / settings.Types.First(one => one.Name == type).SteadyState.CostOfGet;
        return report.Visits.Any(visits => !(visits.Gets >= 0 && visits.Gets <= most && visits.Puts >= 0 && visits.Puts <= most));
    }

    /// <summary>Whether a live server has reported in the last period. Only such a server may get bins or be emptied.</summary>
    public bool IsHeard(int server) => _servers.TryGetValue(server, out var known) && known.HeardNow;

    /// <summary>Whether a live server has not reported for <see cref="DirectorPolicy.SilentAfter"/> periods.</summary>
    public bool IsSilent(int server, TimeSpan now) =>
        _servers.TryGetValue(server, out var known) && now - known.Heard >= settings.Policy.Period * settings.Policy.SilentAfter;
}
