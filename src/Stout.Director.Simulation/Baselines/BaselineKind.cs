namespace Stout.Director.Simulation.Baselines;

/// <summary>Controllers that the Director is compared with.</summary>
public enum BaselineKind
{
    /// <summary>A constant number of servers; bins stay where they are.</summary>
    Static,

    /// <summary>A constant number of servers. All servers get the same number of bins, regardless of the load.</summary>
    Count,

    /// <summary>
    /// Kubernetes' horizontal autoscaler on utilization, every 15 s with a tolerance of 10 %. Scaling down uses the highest wanted number of the last
    /// 300 s. Bins are rebalanced by count.
    /// </summary>
    Hpa,

    /// <summary>
    /// The autoscaler of <see cref="Hpa"/>, but a bin moves to another server only when its server leaves or the bin is activated anew. A bin is
    /// activated once an hour in the mean.
    /// </summary>
    NewActivations,

    /// <summary>
    /// A closed loop on the measured percentile. It adds a server if the percentile is violated, and removes one if it is met by far; bins are
    /// rebalanced by count.
    /// </summary>
    ClosedLoop,
}
