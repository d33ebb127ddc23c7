namespace Stout.Director.Simulation.Baselines;

/// <summary>Controllers that the Director is compared with.</summary>
public enum BaselineKind
{
    /// <summary>A constant number of servers; bins stay where they are.</summary>
    Static,

    /// <summary>A constant number of servers. All servers get the same number of bins, regardless of the load.</summary>
    Count,

    /// <summary>Kubernetes' horizontal autoscaler on utilization: every 15 s, tolerance 10 %, the highest wish of 300 s when scaling down; bins are rebalanced by count.</summary>
    Hpa,

    /// <summary>The same autoscaler, but a server gets a bin only when the bin is activated anew: each bin is, once an hour in the mean.</summary>
    NewActivations,

    /// <summary>
    /// A closed loop on the measured percentile. It adds a server if the percentile is violated, and removes one if it is met by far; bins are
    /// rebalanced by count.
    /// </summary>
    ClosedLoop,
}
