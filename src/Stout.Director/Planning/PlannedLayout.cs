using Stout.Director.Loads;

namespace Stout.Director.Planning;

/// <summary>The layout as it will be once all unfinished actions are done, with the predicted load of every server.</summary>
internal sealed class PlannedLayout
{
    private readonly OperationRates[] _rates;
    private readonly IReadOnlyList<long> _bytes;
    private readonly int _fanOut;
    private readonly List<PlannedServer>[] _replicas;
    private readonly int[] _locks;
    private readonly OperationRates _visits;

    public PlannedLayout(OperationRates[] rates, IReadOnlyList<long> bytes, int fanOut, List<PlannedServer> servers)
    {
        (_rates, _bytes, _fanOut, Servers) = (rates, bytes, fanOut, servers);
        _replicas = new List<PlannedServer>[rates.Length];
        for (var bin = 0; bin < rates.Length; bin++)
            _replicas[bin] = new List<PlannedServer>(2);
        _locks = new int[rates.Length];
        HasZones = servers.Select(server => server.Zone).Distinct().Skip(1).Any();
        foreach (var one in rates)
            _visits += new OperationRates(one.Gets * fanOut, one.Puts);
        if (!(_visits.Total > 0))
            _visits = new OperationRates(1, 0);
    }

    /// <summary>Whether the servers are in several zones.</summary>
    public bool HasZones { get; }

    public List<PlannedServer> Servers { get; }

    public int Bins => _rates.Length;

    public IReadOnlyList<PlannedServer> Replicas(int bin) => _replicas[bin];

    public OperationRates Rates(int bin) => _rates[bin];

    public long Bytes(int bin) => _bytes[bin];

    /// <summary>Whether a bin has an unfinished or newly planned action, so that no second action is planned for the bin.</summary>
    public bool IsLocked(int bin) => _locks[bin] > 0;

    public void Lock(int bin) => _locks[bin]++;

    /// <summary>The share of a server that a replica of a bin takes if the bin has <paramref name="replicas"/> replicas.</summary>
    public double Cost(int bin, int replicas, PlannedServer server) => Cost(bin, replicas, server.Type);

    public double Cost(int bin, int replicas, Models.ServerType type) =>
        type.SteadyState.Utilization(_rates[bin].Gets * Math.Min(_fanOut, replicas) / replicas, _rates[bin].Puts);

    /// <summary>The servers of a type that all visits together take. Each get counts at as many replicas as it is sent to, each put at one.</summary>
    public double Utilization(Models.ServerType type) => type.SteadyState.Utilization(_visits.Gets, _visits.Puts);

    public double Cost(int bin, PlannedServer server) => Cost(bin, _replicas[bin].Count, server);

    public bool Holds(int bin, PlannedServer server) => _replicas[bin].Contains(server);

    public void Add(int bin, PlannedServer server)
    {
        Weigh(bin, -1);
        _replicas[bin].Add(server);
        server.Bins.Add(bin);
        server.Bytes += _bytes[bin];
        Weigh(bin, 1);
    }

    public void Remove(int bin, PlannedServer server)
    {
        Weigh(bin, -1);
        _replicas[bin].Remove(server);
        server.Bins.Remove(bin);
        server.Bytes -= _bytes[bin];
        Weigh(bin, 1);
    }

    public void Move(int bin, PlannedServer from, PlannedServer to)
    {
        Remove(bin, from);
        Add(bin, to);
    }

    // A change of the number of replicas changes the load of each replica. So the loads are subtracted before the change (sign -1), and added after it.
    private void Weigh(int bin, int sign)
    {
        foreach (var server in _replicas[bin])
            server.Load += sign * Cost(bin, server);
    }
}
