using Stout.Director.Layouts;
using Stout.Director.Loads;
using Stout.Director.Simulation.Physics;

namespace Stout.Director.Simulation.Clusters;

/// <summary>Counts the clients' requests bin by bin, and makes the servers' reports of them.</summary>
internal sealed class VisitReports(ClusterSetup setup, Xoshiro random)
{
    private readonly double[] _gets = new double[setup.BinBytes.Count];
    private readonly double[] _puts = new double[setup.BinBytes.Count];
    private double _reported;

    public void Begin(double now) => _reported = now;

    public void Count(int bin, double gets, double puts)
    {
        _gets[bin] += gets;
        _puts[bin] += puts;
    }

    /// <summary>Makes the report of every live server: the visits to each of its bins since the last reports.</summary>
    public List<ServerReport> Make(double now, Layout layout, IReadOnlyList<SimulatedServer> servers)
    {
        var seconds = now - _reported;
        if (seconds <= 0)
            return [];
        var live = servers.Where(server => server.IsLive).ToList();
        var visits = live.ToDictionary(server => server.Id, _ => new List<BinVisits>());
        for (var bin = 0; bin < _gets.Length; bin++)
        {
            var replicas = layout.Replicas(bin);
            var gets = _gets[bin] * Math.Min(setup.ReadFanOut, replicas.Length) / Math.Max(replicas.Length, 1);
            foreach (var id in replicas)
            {
                if (visits.TryGetValue(id, out var seen))
                    seen.Add(new BinVisits(bin, Sample(gets, setup.SampledGets) / seconds, Sample(_puts[bin], setup.SampledPuts) / seconds));
            }
        }

        Array.Clear(_gets);
        Array.Clear(_puts);
        _reported = now;
        return [.. live.Select(server => new ServerReport(server.Id, ++server.Sequence, TimeSpan.Zero, visits[server.Id]))];
    }

    private double Sample(double count, double share) => share >= 1 ? count : random.NextPoisson(count * share) / share;
}
