using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;
using Stout.Director.Models;

namespace Stout.Director.Planning;

/// <summary>The state that the steps of one plan share: the layout as planned so far, the actions and the findings.</summary>
internal sealed class PlanningContext(DirectorSettings settings, PlannedLayout layout, Func<long> nextId)
{
    public DirectorSettings Settings => settings;

    public DirectorPolicy Policy => settings.Policy;

    public PlannedLayout Layout => layout;

    /// <summary>
    /// The load for which servers and replicas stay, relative to the load of this plan. It is the highest load of the last <see cref="DirectorPolicy.Dwell"/>, or
    /// the load after the growth that may come. At least 1.
    /// </summary>
    public double Expected { get; set; } = 1;

    /// <summary>The types of the servers that are booting, or whose lease is an unfinished action.</summary>
    public IReadOnlyList<ServerType> Booting { get; init; } = [];

    /// <summary>The number of leases of the last hour.</summary>
    public int LeasesLastHour { get; init; }

    /// <summary>The bins that no server can carry: their writes, which every replica takes, leave servers of every type too little for reads.</summary>
    public IReadOnlyList<int> Unservable { get; } =
        [.. Enumerable.Range(0, layout.Bins).Where(bin => settings.Types.All(type => type.SteadyState.Utilization(0, layout.Rates(bin).Puts) > settings.Policy.FillLimit - HotBin.LeastReads))];

    public List<DirectorAction> Actions { get; } = [];

    public List<Finding> Findings { get; } = [];

    /// <summary>The load for which no server has room; 1 is the capacity of one server of <see cref="DirectorSettings.Types"/>[0].</summary>
    public double Unplaced { get; private set; }

    /// <summary>The bytes for which no server has room.</summary>
    public long UnplacedBytes { get; private set; }

    /// <summary>Descriptions of the load for which no server has room.</summary>
    public List<string> UnplacedWhat { get; } = [];

    /// <summary>Moves and repairs of single bins, in the order in which they were planned; they become actions at the end of the plan.</summary>
    public List<PlannedMove> Moves { get; } = [];

    /// <summary>Whether the plan may move another bin.</summary>
    public bool MayMove
    {
        get
        {
            if (Moves.Count < Policy.MostMoves)
                return true;
            Find(FindingKind.Bounded, $"The plan stops at {Policy.MostMoves} bins moved or copied; the next plan goes on.");
            return false;
        }
    }

    /// <summary>The work that one server of a type can do, in servers of <see cref="DirectorSettings.Types"/>[0], at the present mix of operations.</summary>
    public double Size(ServerType type) => type == settings.Types[0] ? 1 : layout.Utilization(settings.Types[0]) / layout.Utilization(type);

    /// <summary>The load of a server that servers can carry. A bin of <see cref="Unservable"/> counts as one full server, since more servers would not serve more of it.</summary>
    public double Servable(PlannedServer server) =>
        server.Load - Unservable.Where(bin => layout.Holds(bin, server)).Sum(bin => Math.Max(0, layout.Cost(bin, server) - Policy.FillLimit));

    /// <summary>Adds a finding, unless an equal one was added before.</summary>
    public void Find(FindingKind kind, string text)
    {
        var finding = new Finding(kind, text);
        if (!Findings.Contains(finding))
            Findings.Add(finding);
    }

    public void Do(ActionKind kind, IReadOnlyList<int> bins, int from, int to, Reason reason, string type = "")
    {
        foreach (var bin in bins)
            layout.Lock(bin);
        Actions.Add(new DirectorAction(nextId(), kind, bins, from, to, type, reason));
    }

    public void Move(int bin, PlannedServer from, PlannedServer to, Reason reason)
    {
        layout.Lock(bin);
        layout.Move(bin, from, to);
        Moves.Add(new PlannedMove(bin, from, to, reason));
    }

    /// <summary>Counts load and bytes for which no server has room.</summary>
    /// <param name="load">The load, in servers of <paramref name="type"/>.</param>
    /// <param name="bytes">The bytes.</param>
    /// <param name="type">The type in which the load is counted.</param>
    /// <param name="what">The load in words.</param>
    public void Miss(double load, long bytes, ServerType type, string what)
    {
        Unplaced += load * Size(type);
        UnplacedBytes += bytes;
        UnplacedWhat.Add(what);
    }

    /// <summary>
    /// The most loaded server that can accept a bin without passing the limit (best fit, the paper's §3.2). The search is among the empty servers if
    /// <paramref name="empty"/> is true, otherwise among the others. A server in the zone of the bin's other replicas is the target only if no other zone has
    /// room.
    /// </summary>
    /// <param name="bin">The bin.</param>
    /// <param name="replicas">The number of replicas that the bin will have.</param>
    /// <param name="limit">The highest load of the target with the bin.</param>
    /// <param name="empty">Whether empty servers are searched.</param>
    /// <param name="from">The server that gives the bin away; null for a further replica.</param>
    public PlannedServer? BestFit(int bin, int replicas, double limit, bool empty, PlannedServer? from = null)
    {
        PlannedServer? best = null;
        bool? isRoomElsewhere = null;
        foreach (var server in layout.Servers)
        {
            if (!server.IsUsable || server == from || server.IsEmpty != empty || (best is not null && server.Load <= best.Load && !(empty && IsBetterEmpty(server, best))))
                continue;
            if (server.Load + layout.Cost(bin, replicas, server) > limit || !HasMemory(bin, server) || layout.Holds(bin, server))
                continue;
            if (IsCrowded(bin, server, from) && (isRoomElsewhere ??= layout.Servers.Any(other => IsRoomElsewhere(bin, replicas, other, from))))
                continue;
            best = server;
        }

        return best;
    }

    /// <summary>Whether the zone of a server holds a replica of a bin already.</summary>
    public bool IsCrowded(int bin, PlannedServer server, PlannedServer? from) =>
        layout.HasZones && layout.Replicas(bin).Any(replica => replica != from && replica != server && replica.Zone == server.Zone);

    public bool HasMemory(int bin, PlannedServer server) => server.Bytes + layout.Bytes(bin) <= server.Type.Memory;

    /// <summary>The reasons why the other servers were not the target, with the number of servers for each reason.</summary>
    public IReadOnlyList<Rejection> Rejections(int bin, int replicas, double limit, PlannedServer? chosen)
    {
        int full = 0, memory = 0, holding = 0, silent = 0, empty = 0, looser = 0;
        foreach (var server in layout.Servers)
        {
            if (server == chosen)
                continue;
            if (!server.IsUsable)
                silent++;
            else if (layout.Holds(bin, server))
                holding++;
            else if (!HasMemory(bin, server))
                memory++;
            else if (server.Load + layout.Cost(bin, replicas, server) > limit)
                full++;
            else if (server.IsEmpty)
                empty++;
            else
                looser++;
        }

        var rejected = new List<Rejection>();
        Count(full, "would be loaded above the limit", "would be loaded above the limit");
        Count(holding, "holds the bin already", "hold the bin already");
        Count(memory, "lacks memory", "lack memory");
        Count(silent, "has not reported, is being released or gets no bins by order", "have not reported, are being released or get no bins by order");
        Count(empty, "is empty and stays so", "are empty and stay so");
        Count(looser, "fits less tightly, or is in the zone of another replica", "fit less tightly, or are in the zone of another replica");
        return rejected;

        void Count(int number, string ofOne, string ofMore)
        {
            if (number > 0)
                rejected.Add(number == 1 ? new Rejection("1 server", ofOne) : new Rejection($"{number} servers", ofMore));
        }
    }

    /// <summary>The time until the server's paid interval ends.</summary>
    public TimeSpan PaidAhead(PlannedServer server)
    {
        var interval = Policy.ChargeInterval.Ticks;
        return TimeSpan.FromTicks(interval - server.LeaseAge.Ticks % interval);
    }

    /// <summary>Whether a server of another zone than those of the bin's replicas can accept the bin: it is empty, or stays below the fill limit.</summary>
    private bool IsRoomElsewhere(int bin, int replicas, PlannedServer server, PlannedServer? from) =>
        server.IsUsable && server != from && !layout.Holds(bin, server) && !IsCrowded(bin, server, from) && HasMemory(bin, server)
        && (server.IsEmpty || server.Load + layout.Cost(bin, replicas, server) <= Policy.FillLimit);

    // Of two empty servers, the better one is that whose paid interval ends later.
    private bool IsBetterEmpty(PlannedServer server, PlannedServer than) => PaidAhead(server) > PaidAhead(than);
}
