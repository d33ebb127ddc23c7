using Stout.Director.Models;
using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Physics;

namespace Stout.Director.Simulation.Running;

/// <summary>
/// Finds the share of slow gets from each server's load, by the latency table of the server type's model. The replicas of a bin are assumed to be slow
/// independently of each other. A load above saturation builds a queue. The share varies from second to second by the table's dispersion.
/// </summary>
internal sealed class FlowEngine : ClusterEngine
{
    private readonly Dictionary<string, FlowTable> _tables;
    private readonly Xoshiro _random;
    private readonly double[] _shares;
    private readonly double[] _mix;
    private readonly Dictionary<int, int> _index = [];
    private int[][] _replicas = [];
    private double[] _gets = [];
    private double[] _puts = [];
    private double[] _slow = [];
    private double[] _weights = [];
    private FlowTable[] _byServer = [];
    private long _version = long.MinValue;
    private object? _layout;
    private int _servers;

    public FlowEngine(SimulatedCluster cluster, SimulationSettings settings)
        : base(cluster, settings.Workload)
    {
        _tables = settings.Models.ToDictionary(model => model.Key, model => new FlowTable(model.Value, settings.Objective, cluster.Setup.ReadFanOut));
        _random = new Xoshiro((ulong)settings.Seed);
        (_shares, _mix) = (new double[cluster.Bins], new double[cluster.Bins]);
    }

    public override void Advance(double from, double to, IntervalStatistics statistics)
    {
        Prepare(from);
        var seconds = to - from;
        var rate = Workload.Rate((from + to) / 2);
        var allGets = 0.0;
        var fanOut = Cluster.Setup.ReadFanOut;
        Array.Clear(_gets);
        Array.Clear(_puts);
        for (var bin = 0; bin < _shares.Length; bin++)
        {
            var replicas = _replicas[bin];
            var gets = rate * _mix[bin] * _shares[bin];
            var puts = rate * (1 - _mix[bin]) * _shares[bin];
            allGets += gets;
            Cluster.Count(bin, gets * seconds, puts * seconds);
            var each = replicas.Length <= fanOut ? gets : gets * fanOut / replicas.Length;
            foreach (var server in replicas)
            {
                _gets[server] += each;
                _puts[server] += puts;
            }
        }

        for (var i = 0; i < _byServer.Length; i++)
            Serve(i, seconds);
        var (slow, dispersion) = Slow(rate);
        if (dispersion > 0 && slow > 0)
            slow = Math.Min(allGets, slow * Gamma(dispersion / seconds));
        statistics.Gets += allGets * seconds;
        statistics.Slow += slow * seconds;
    }

    private void Prepare(double now)
    {
        var shape = Workload.ShapeVersion(now);
        if (shape != _version)
        {
            Workload.FillShares(now, _shares);
            Workload.FillGetShares(now, _mix);
            _version = shape;
        }

        if (ReferenceEquals(_layout, Cluster.Layout) && _servers == Cluster.ServersLeased + Cluster.ServersReleased && _byServer.Length == Cluster.Servers.Count)
            return;
        _layout = Cluster.Layout;
        _servers = Cluster.ServersLeased + Cluster.ServersReleased;
        _index.Clear();
        for (var i = 0; i < Cluster.Servers.Count; i++)
            _index[Cluster.Servers[i].Id] = i;
        var count = Cluster.Servers.Count;
        _byServer = [.. Cluster.Servers.Select(server => _tables[server.Type])];
        (_gets, _puts, _slow, _weights) = (new double[count], new double[count], new double[count], new double[count]);
        if (_replicas.Length == 0)
            _replicas = new int[Cluster.Bins][];
        for (var bin = 0; bin < _replicas.Length; bin++)
        {
            var replicas = Cluster.Layout.Replicas(bin);
            if (_replicas[bin]?.Length != replicas.Length)
                _replicas[bin] = new int[replicas.Length];
            for (var i = 0; i < replicas.Length; i++)
                _replicas[bin][i] = _index[replicas[i]];
        }
    }

    // Computes a server's utilization, its queue, and the share of its visits that are slow.
    private void Serve(int index, double seconds)
    {
        var server = Cluster.Servers[index];
        var table = _byServer[index];
        var physics = server.Physics;
        server.Utilization = _gets[index] * physics.GetTime + _puts[index] * physics.PutTime;
        var load = table.Model.Utilization(_gets[index], _puts[index]) / (1 - Math.Min(server.CopyShare, 0.95));
        server.Backlog = Math.Clamp(server.Backlog + seconds * (load / table.Saturation - 1), 0, table.LongestQueue);
        _slow[index] = server.Backlog > table.Threshold ? 1 : table.Slow(load);
    }

    private (double Slow, double Dispersion) Slow(double rate)
    {
        var fanOut = Cluster.Setup.ReadFanOut;
        double sum = 0;
        Array.Clear(_weights);
        for (var bin = 0; bin < _shares.Length; bin++)
        {
            var replicas = _replicas[bin];
            var slow = rate * _mix[bin] * _shares[bin] * AllSlow(replicas, fanOut);
            sum += slow;
            foreach (var server in replicas)
                _weights[server] += slow / replicas.Length;
        }

        double squares = 0, dispersion = 0;
        for (var i = 0; i < _weights.Length; i++)
        {
            squares += _weights[i] * _weights[i];
            dispersion += _weights[i] * _byServer[i].Dispersion(_slow[i]);
        }

        // The mean dispersion of one server, divided by the effective number of servers.
        // That number is 1/Σw², where w is each server's share of the slow gets.
        return sum > 0 ? (sum, dispersion / sum * squares / (sum * sum)) : (0, 0);
    }

    // The probability that all servers that a get asks are slow. If a get asks two servers, this is the mean over all pairs of replicas.
    private double AllSlow(int[] replicas, int fanOut)
    {
        if (replicas.Length == 0)
            return 1;
        if (fanOut == 1 || replicas.Length == 1)
        {
            double mean = 0;
            foreach (var server in replicas)
                mean += _slow[server];
            return mean / replicas.Length;
        }

        double sum = 0, squares = 0;
        foreach (var server in replicas)
        {
            sum += _slow[server];
            squares += _slow[server] * _slow[server];
        }

        return (sum * sum - squares) / (replicas.Length * (replicas.Length - 1));
    }

    // A gamma variate with mean 1 and the given variance (Marsaglia and Tsang).
    private double Gamma(double variance)
    {
        var shape = 1 / variance;
        var boost = 1.0;
        if (shape < 1)
        {
            boost = Math.Pow(1 - _random.NextDouble(), 1 / shape);
            shape++;
        }

        var d = shape - 1 / 3.0;
        var c = 1 / Math.Sqrt(9 * d);
        while (true)
        {
            var x = _random.NextNormal();
            var v = Math.Pow(1 + c * x, 3);
            if (v > 0 && Math.Log(1 - _random.NextDouble()) < 0.5 * x * x + d - d * v + d * Math.Log(v))
                return d * v * boost * variance;
        }
    }
}
