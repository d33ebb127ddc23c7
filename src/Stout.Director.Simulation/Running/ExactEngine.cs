using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Physics;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Simulation.Running;

/// <summary>
/// Simulates every request. Arrivals form a Poisson process, and each server has a queue. A get's latency is that of the asked server that answers first.
/// </summary>
internal sealed class ExactEngine : ClusterEngine
{
    // Latencies are counted by the millisecond, up to 2 s.
    private const int Milliseconds = 2_000;

    private readonly double _threshold;
    private readonly ServerPhysics _network;
    private readonly Xoshiro _random;
    private readonly AliasTable _bins;
    private readonly double[] _shares;
    private readonly double[] _mix;
    private readonly QueueingServer[][] _replicas;
    private readonly int[] _gets;
    private readonly int[] _puts;
    private readonly int[] _latencies = new int[Milliseconds + 1];
    private readonly QueueingServer[] _chosen;
    private Drift _drift;
    private long _version = long.MinValue;
    private object? _layout;

    public ExactEngine(SimulatedCluster cluster, Workload workload, ServiceObjective objective, int seed)
        : base(cluster, workload)
    {
        _threshold = objective.Threshold.TotalSeconds;
        _network = cluster.Setup.Physics.Values.First();
        _random = new Xoshiro((ulong)seed);
        _drift = new Drift(_random);
        _bins = new AliasTable(cluster.Bins);
        (_shares, _mix) = (new double[cluster.Bins], new double[cluster.Bins]);
        _replicas = new QueueingServer[cluster.Bins][];
        _gets = new int[cluster.Bins];
        _puts = new int[cluster.Bins];
        _chosen = new QueueingServer[16];
    }

    /// <summary>The number of gets for each latency in milliseconds, since the last interval was closed.</summary>
    public IReadOnlyList<int> Latencies => _latencies;

    /// <summary>Called with the latencies of each interval before they are cleared.</summary>
    public Action<IReadOnlyList<int>>? IntervalClosed { get; set; }

    /// <summary>The number of visits so far.</summary>
    public long Visits { get; private set; }

    public override void Advance(double from, double to, IntervalStatistics statistics)
    {
        Prepare(from, to - from);
        var network = _network.Network * _drift.Next(to - from, _network.NetworkTime, _network.NetworkDeviation);
        var rate = Workload.Rate((from + to) / 2);
        var fanOut = Cluster.Setup.ReadFanOut;
        double sum = 0;
        int gets = 0, slow = 0;
        for (var time = from + _random.NextExponential() / rate; time < to; time += _random.NextExponential() / rate)
        {
            var bin = _bins.Draw(_random);
            var replicas = _replicas[bin];
            if (_random.NextDouble() >= _mix[bin])
            {
                _puts[bin]++;
                foreach (var server in replicas)
                    server.Put(time);
                continue;
            }

            _gets[bin]++;
            gets++;
            var latency = Get(replicas, fanOut, time) + network;
            if (latency > _threshold)
                slow++;
            latency = Math.Min(latency, 2);
            sum += latency;
            _latencies[(int)(latency * 1000)]++;
        }

        statistics.Gets += gets;
        statistics.Slow += slow;
        statistics.LatencySum += sum;
        Count(to - from);
    }

    public override void Close(IntervalStatistics statistics)
    {
        statistics.Tail = Percentile(_latencies, 0.99);
        IntervalClosed?.Invoke(_latencies);
        Array.Clear(_latencies);
    }

    /// <summary>A percentile, in seconds, of latencies that are counted by the millisecond.</summary>
    public static double Percentile(IReadOnlyList<int> latencies, double share)
    {
        var needed = share * latencies.Sum(count => (long)count);
        double below = 0;
        for (var i = 0; i < latencies.Count; i++)
        {
            if (latencies[i] > 0 && below + latencies[i] >= needed)
                return (i + (needed - below) / latencies[i]) / 1000;
            below += latencies[i];
        }

        return 0;
    }

    private double Get(QueueingServer[] replicas, int fanOut, double time)
    {
        if (replicas.Length <= fanOut)
        {
            var first = double.PositiveInfinity;
            foreach (var server in replicas)
                first = Math.Min(first, server.Get(time));
            return first;
        }

        // Asks `fanOut` of the replicas at random, each at most once.
        replicas.CopyTo(_chosen, 0);
        var least = double.PositiveInfinity;
        for (var i = 0; i < fanOut; i++)
        {
            var j = i + _random.NextInt(replicas.Length - i);
            least = Math.Min(least, _chosen[j].Get(time));
            _chosen[j] = _chosen[i];
        }

        return least;
    }

    private void Prepare(double now, double seconds)
    {
        var shape = Workload.ShapeVersion(now);
        if (shape != _version)
        {
            Workload.FillShares(now, _shares);
            Workload.FillGetShares(now, _mix);
            _bins.Fill(_shares);
            _version = shape;
        }

        foreach (var server in Cluster.Servers)
        {
            server.Queue ??= new QueueingServer(server.Physics, (ulong)(Cluster.Setup.Seed * 100_003L + server.Id), now);
            server.Queue.Step(seconds, server.CopyShare);
        }

        if (ReferenceEquals(_layout, Cluster.Layout))
            return;
        _layout = Cluster.Layout;
        for (var bin = 0; bin < _replicas.Length; bin++)
            _replicas[bin] = [.. Cluster.Layout.Replicas(bin).ToArray().Select(id => Cluster.ById[id].Queue!)];
    }

    private void Count(double seconds)
    {
        foreach (var server in Cluster.Servers)
        {
            server.Utilization = server.Queue!.Work / seconds;
            Visits += server.Queue.Visits;
        }

        for (var bin = 0; bin < _gets.Length; bin++)
        {
            if (_gets[bin] + _puts[bin] > 0)
                Cluster.Count(bin, _gets[bin], _puts[bin]);
        }

        Array.Clear(_gets);
        Array.Clear(_puts);
    }
}
