using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Experiments.Truth;

/// <summary>
/// The number of servers that an operator keeps: as many as the load of half a minute ago fills to 80 %, and fewer only after three minutes of less load. So some
/// rises fill the servers, and the recorded latency shows at which load reads begin to wait.
/// </summary>
internal sealed class CautiousOperator
{
    private const double Fill = 0.8;
    private static readonly TimeSpan Lag = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Dwell = TimeSpan.FromMinutes(3);

    private int _servers;
    private TimeSpan _needed;

    /// <summary>The number of servers at a time. Times ascend from call to call.</summary>
    public int Servers(Workload load, TimeSpan at)
    {
        var seen = at > Lag ? at - Lag : TimeSpan.Zero;
        var wanted = Math.Clamp((int)Math.Ceiling(load.Rate(seen.TotalSeconds) / (Fill * TruthSetup.FullRate)), 1, TruthSetup.MostServers);
        if (wanted >= _servers || at - _needed >= Dwell)
            (_servers, _needed) = (wanted, at);
        return _servers;
    }
}
