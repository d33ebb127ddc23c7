namespace Stout.Director.Simulation.Running;

/// <summary>How latency is found.</summary>
public enum SimulationMode
{
    /// <summary>Every request is simulated.</summary>
    Exact,

    /// <summary>Shares of slow requests come from a table that the exact mode made.</summary>
    Flow,
}
