using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;

namespace Stout.Director.Planning;

/// <summary>The state that the steps of one plan share: the layout as planned so far, the actions and the findings.</summary>
internal sealed class PlanningContext(DirectorSettings settings, PlannedLayout layout, double growth, int booting, Func<long> nextId)
{
    public DirectorSettings Settings => settings;

    public DirectorPolicy Policy => settings.Policy;

    public PlannedLayout Layout => layout;

    /// <summary>The whole load at the time when a server leased now has booted, relative to the load of this plan.</summary>
    public double Growth => growth;

    /// <summary>The number of servers that are booting, or whose lease is an unfinished action.</summary>
    public int Booting => booting;

    public List<DirectorAction> Actions { get; } = [];

    public List<Finding> Findings { get; } = [];

    /// <summary>The load for which no server has room; 1 is the capacity of one server of <see cref="DirectorSettings.Types"/>[0].</summary>
    public double Unplaced { get; set; }

    /// <summary>Descriptions of the load for which no server has room.</summary>
    public List<string> UnplacedWhat { get; } = [];

    /// <summary>Moves and repairs of single bins, in the order in which they were planned; they become actions at the end of the plan.</summary>
    public List<PlannedMove> Moves { get; } = [];

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

    public void Miss(double load, string what)
    {
        Unplaced += load;
        UnplacedWhat.Add(what);
    }

    /// <summary>
    /// The most loaded server that can accept a bin without passing the limit (best fit, the paper's §3.2). The search is among the empty servers if
    /// <paramref name="empty"/> is true, otherwise among the others.
    /// </summary>
    public PlannedServer? BestFit(int bin, int replicas, double limit, bool empty, Predicate<PlannedServer>? unless = null)
    {
        PlannedServer? best = null;
        foreach (var server in layout.Servers)
        {
            if (!server.IsUsable || server.IsEmpty != empty || (best is not null && server.Load <= best.Load && !(empty && IsBetterEmpty(server, best))))
                continue;
            if (server.Load + layout.Cost(bin, replicas, server) > limit || server.Bytes + layout.Bytes(bin) > server.Type.Memory || layout.Holds(bin, server))
                continue;
            if (unless?.Invoke(server) == true)
                continue;
            best = server;
        }

        return best;
    }

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
            else if (server.Bytes + layout.Bytes(bin) > server.Type.Memory)
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
        Count(silent, "has not reported or is being released", "have not reported or are being released");
        Count(empty, "is empty and stays so", "are empty and stay so");
        Count(looser, "fits less tightly", "fit less tightly");
        return rejected;

        void Count(int number, string ofOne, string ofMore)
        {
            if (number > 0)
                rejected.Add(number == 1 ? new Rejection("1 server", ofOne) : new Rejection($"{number} servers", ofMore));
        }
    }

    // Of two empty servers, the better one is that whose paid interval ends later.
    private bool IsBetterEmpty(PlannedServer server, PlannedServer than) => PaidAhead(server) > PaidAhead(than);

    /// <summary>The time until the server's paid interval ends.</summary>
    public TimeSpan PaidAhead(PlannedServer server)
    {
        var interval = Policy.ChargeInterval.Ticks;
        return TimeSpan.FromTicks(interval - server.LeaseAge.Ticks % interval);
    }
}
