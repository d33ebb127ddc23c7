namespace Stout.Director.Simulation.Baselines;

/// <summary>Controllers that the Director is compared with.</summary>
internal enum BaselineKind
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
    /// A closed loop on the measured share of slow reads. It adds a server if the share exceeds the allowed share, and removes a server if the share is far
    /// below. Bins are rebalanced by count.
    /// </summary>
    ClosedLoop,

    /// <summary>
    /// An autoscaler on requests per second, as KEDA with a query of a metric: polled every 30 s, the mean of 2 min. Its tolerance and its window for scaling down
    /// are those of <see cref="Hpa"/>. Bins are rebalanced by count.
    /// </summary>
    Rate,

    /// <summary>The number of servers follows <see cref="BaselineSettings.Schedule"/>, ahead by the boot time. Bins are rebalanced by count.</summary>
    Schedule,
}
