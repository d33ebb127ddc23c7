using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Simulation.Running;

/// <summary>Puts a workload on a cluster for a while, counts visits and judges latencies.</summary>
internal abstract class ClusterEngine(SimulatedCluster cluster, Workload workload)
{
    protected SimulatedCluster Cluster => cluster;

    protected Workload Workload => workload;

    /// <summary>Serves the load from one moment to another, under the layout in force.</summary>
    public abstract void Advance(double from, double to, IntervalStatistics statistics);

    /// <summary>Closes an interval.</summary>
    public virtual void Close(IntervalStatistics statistics)
    {
    }
}
