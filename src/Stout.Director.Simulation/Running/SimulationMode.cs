namespace Stout.Director.Simulation.Running;

/// <summary>The ways in which latency is found.</summary>
public enum SimulationMode
{
    /// <summary>Every request is simulated.</summary>
    Exact,

    /// <summary>The share of slow requests comes from the latency table of a model.</summary>
    Flow,
}
