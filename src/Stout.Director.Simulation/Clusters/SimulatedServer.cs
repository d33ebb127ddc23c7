using Stout.Director.Layouts;
using Stout.Director.Simulation.Physics;

namespace Stout.Director.Simulation.Clusters;

/// <summary>A leased server of the simulated cluster.</summary>
internal sealed class SimulatedServer(int id, string type, ServerPhysics physics, double leased, double boots, string zone)
{
    public int Id => id;

    public string Type => type;

    public ServerPhysics Physics => physics;

    public double Leased => leased;

    /// <summary>The virtual time in seconds at which the server has booted; infinite if it never boots.</summary>
    public double Boots => boots;

    public bool IsLive { get; set; }

    public double Released { get; set; } = double.PositiveInfinity;

    public long Sequence { get; set; }

    /// <summary>The processor time that visits took per second in the last tick; 1 is the whole processor without stalls.</summary>
    public double Utilization { get; set; }

    /// <summary>The share of the processor that copies take now.</summary>
    public double CopyShare { get; set; }

    /// <summary>The seconds of queued work, in flow mode.</summary>
    public double Backlog { get; set; }

    /// <summary>The queue, in exact mode.</summary>
    public QueueingServer? Queue { get; set; }

    public ServerState State(double now) =>
        new(id, type, IsLive ? ServerPhase.Live : ServerPhase.Booting, TimeSpan.FromSeconds(now - leased)) { Zone = zone };
}
