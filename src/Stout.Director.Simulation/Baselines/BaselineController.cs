using Stout.Director.Decisions;
using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Physics;
using Stout.Director.Simulation.Running;

namespace Stout.Director.Simulation.Baselines;

/// <summary>
/// Controls a simulated cluster by one of the baselines, with which the Director is compared. In a cluster of one bin, every server gets a replica of it, as behind
/// a load balancer.
/// </summary>
/// <param name="settings">The baseline's parameters.</param>
/// <param name="cluster">The cluster.</param>
internal sealed class BaselineController(BaselineSettings settings, SimulatedCluster cluster) : IController
{
    // The tolerance of the autoscaler and its window for scaling down have Kubernetes' defaults.
    private const double Tolerance = 0.1;
    private static readonly TimeSpan Stabilization = TimeSpan.FromSeconds(300);

    // The window of a rate in a query of a metric is a choice of the operator; 2 min is common.
    private static readonly TimeSpan RateWindow = TimeSpan.FromMinutes(2);

    // The closed loop removes a server if the share of slow reads is below this part of the allowed share.
    private const double ByFar = 0.3;

    private readonly BinMover _mover = new(cluster, settings.CopyRate);
    private readonly Xoshiro _random = new((ulong)settings.Seed + 31);
    private readonly List<(TimeSpan At, int Servers)> _wishes = [];
    private readonly HashSet<int> _leaving = [];
    private readonly Queue<(TimeSpan At, double Load)> _loads = [];

    /// <inheritdoc/>
    public TimeSpan Period => TimeSpan.FromSeconds(settings.Kind switch
    {
        BaselineKind.Hpa or BaselineKind.NewActivations => 15,
        BaselineKind.Rate => 30,
        _ => 20,
    });

    /// <summary>The number of times that the controller changed the number of servers.</summary>
    public int Changes { get; private set; }

    /// <inheritdoc/>
    public Decision? Plan(TimeSpan now)
    {
        if (settings.Kind is BaselineKind.Hpa or BaselineKind.NewActivations)
            Scale(HpaWish(now));
        if (settings.Kind == BaselineKind.Rate)
            Scale(RateWish(now));
        if (settings.Kind == BaselineKind.Schedule)
            Scale(settings.Schedule?.Invoke(now + cluster.Setup.BootTime) ?? settings.LeastServers);
        if (settings.Kind == BaselineKind.ClosedLoop && _mover.IsIdle && cluster.Servers.All(server => server.IsLive))
            Scale(Staying.Count + (cluster.SlowShare > settings.SlowBudget ? 1 : cluster.SlowShare < settings.SlowBudget * ByFar ? -1 : 0));
        if (settings.Kind == BaselineKind.NewActivations)
            Activate();
        else if (cluster.Bins == 1)
            Spread();
        else if (settings.Kind != BaselineKind.Static)
            Rebalance();
        ReleaseEmpty();
        return null;
    }

    /// <inheritdoc/>
    public void Advance(TimeSpan now) => _mover.Advance();

    private List<SimulatedServer> Staying => [.. cluster.Servers.Where(server => !_leaving.Contains(server.Id))];

    private int HpaWish(TimeSpan now) => Wish(now, LoadOf(out var serving), serving);

    private int RateWish(TimeSpan now)
    {
        _loads.Enqueue((now, LoadOf(out var serving)));
        while (now - _loads.Peek().At >= RateWindow)
            _loads.Dequeue();
        return Wish(now, _loads.Average(one => one.Load), serving);
    }

    // The load of all serving servers together, in shares of the model's boundary.
    private double LoadOf(out int serving)
    {
        var live = Staying.Where(server => server.IsLive).ToList();
        var capacity = settings.Type.SteadyState.CostOfGet / live[0].Physics.GetTime;
        serving = live.Count;
        return live.Sum(server => server.Utilization * capacity);
    }

    private int Wish(TimeSpan now, double load, int serving)
    {
        var ratio = load / serving / settings.Target;
        var current = Staying.Count;
        var wish = Math.Abs(ratio - 1) <= Tolerance ? current : (int)Math.Ceiling(serving * ratio);
        _wishes.Add((now, wish));
        _wishes.RemoveAll(old => now - old.At > Stabilization);
        return wish >= current ? wish : Math.Min(current, _wishes.Max(old => old.Servers));
    }

    private void Scale(int wish)
    {
        wish = Math.Clamp(wish, settings.LeastServers, settings.MostServers);
        var staying = Staying;
        if (wish != staying.Count)
            Changes++;
        for (var i = staying.Count; i < wish; i++)
        {
            // Keeps a server that was to be released, instead of leasing a new one.
            if (_leaving.Count > 0)
                _leaving.Remove(_leaving.Max());
            else
                _mover.Lease(settings.Type.Name);
        }

        foreach (var server in staying.OrderByDescending(server => server.Id).Take(staying.Count - wish))
            _leaving.Add(server.Id);
    }

    // Gives the only bin to all servers that stay, and takes it from those that leave.
    private void Spread()
    {
        var holders = cluster.Layout.Replicas(0).ToArray();
        foreach (var server in Staying.Where(server => server.IsLive && !holders.Contains(server.Id) && !_mover.Targets(server.Id)))
            _mover.Replicate(0, holders[0], server.Id);
        foreach (var server in holders.Where(_leaving.Contains))
            _mover.Drop(0, server);
    }

    // Moves bins from servers with more bins to servers with fewer, until the numbers of bins differ by at most one.
    private void Rebalance()
    {
        if (!_mover.IsIdle)
            return;
        var counts = Counts(out var bins);
        var targets = Staying.Where(server => server.IsLive).Select(server => server.Id).ToList();
        while (true)
        {
            var from = counts.Keys.Where(server => counts[server] > 0).MaxBy(server => (_leaving.Contains(server) ? 1_000_000 : 0) + counts[server]);
            var to = targets.MinBy(server => counts[server]);
            if (!_leaving.Contains(from) && counts[from] <= counts[to] + 1)
                return;
            var bin = bins[from].FindLastIndex(bin => !_mover.IsMoving(bin) && !cluster.Layout.Holds(bin, to));
            if (bin < 0)
                return;
            _mover.Move(bins[from][bin], from, to);
            bins[from].RemoveAt(bin);
            counts[from]--;
            counts[to]++;
        }
    }

    // Moves bins to the servers with the fewest bins: every bin of a leaving server, and other bins with the probability of a new activation.
    private void Activate()
    {
        var counts = Counts(out _);
        var chance = Period.TotalHours;
        for (var bin = 0; bin < cluster.Bins; bin++)
        {
            var replicas = cluster.Layout.Replicas(bin).ToArray();
            var from = replicas.FirstOrDefault(_leaving.Contains, replicas.Length > 0 ? replicas[0] : 0);
            if (_mover.IsMoving(bin) || (!_leaving.Contains(from) && _random.NextDouble() > chance))
                continue;
            var to = Staying.Where(server => server.IsLive && !replicas.Contains(server.Id)).MinBy(server => counts[server.Id]);
            if (to is null || (counts[to.Id] >= counts[from] && !_leaving.Contains(from)))
                continue;
            _mover.Move(bin, from, to.Id);
            counts[from]--;
            counts[to.Id]++;
        }
    }

    private Dictionary<int, int> Counts(out Dictionary<int, List<int>> bins)
    {
        var held = cluster.Servers.Where(server => server.IsLive).ToDictionary(server => server.Id, _ => new List<int>());
        for (var bin = 0; bin < cluster.Bins; bin++)
        {
            foreach (var server in cluster.Layout.Replicas(bin))
                held[server].Add(bin);
        }

        bins = held;
        return held.ToDictionary(server => server.Key, server => server.Value.Count);
    }

    private void ReleaseEmpty()
    {
        var counts = Counts(out _);
        foreach (var server in _leaving.Where(server => !_mover.Targets(server) && counts.GetValueOrDefault(server) == 0).ToList())
        {
            _mover.Release(server);
            if (!cluster.ById.ContainsKey(server))
                _leaving.Remove(server);
        }
    }
}
