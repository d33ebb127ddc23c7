using Stout.Director.Layouts;
using Stout.Director.Models;

namespace Stout.Director.Planning;

/// <summary>A live server in the layout that the planner changes.</summary>
internal sealed class PlannedServer(ServerState state, ServerType type, bool isUsable, ServerOrder order = ServerOrder.None)
{
    public int Id => state.Id;

    public ServerType Type => type;

    public string Zone => state.Zone;

    /// <summary>The operator's order for the server.</summary>
    public ServerOrder Order => order;

    /// <summary>The time since the lease began.</summary>
    public TimeSpan LeaseAge => state.LeaseAge;

    /// <summary>Whether the server may become a target or be emptied: it has reported, no action releases it, and no order keeps bins off it.</summary>
    public bool IsUsable { get; set; } = isUsable && (order is ServerOrder.None or ServerOrder.Pin);

    /// <summary>The predicted load, overprovisioning included; 1 is the boundary above which the type's model predicts a violation.</summary>
    public double Load { get; set; }

    /// <summary>The bytes of all bins of the server.</summary>
    public long Bytes { get; set; }

    public List<int> Bins { get; } = [];

    public bool IsEmpty => Bins.Count == 0;
}
