using Stout.Director.Simulation.Clusters;
using Stout.Director.Simulation.Workloads;

namespace Stout.Director.Simulation.Running;

/// <summary>Serves a workload on a cluster, and counts the visits and the slow gets.</summary>
internal abstract class ClusterEngine(SimulatedCluster cluster, Workload workload)
{
    protected SimulatedCluster Cluster => cluster;

    protected Workload Workload => workload;

    /// <summary>Serves the load from one moment to another, under the layout in force.</summary>
    public abstract void Advance(double from, double to, IntervalStatistics statistics);

    /// <summary>Completes the statistics of an interval.</summary>
    public virtual void Close(IntervalStatistics statistics)
    {
    }
}
