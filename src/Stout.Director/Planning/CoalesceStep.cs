using Stout.Director.Decisions;

namespace Stout.Director.Planning;

/// <summary>Empties underloaded servers (the paper's algorithm 1, lines 12 to 20).</summary>
internal static class CoalesceStep
{
    // A server is emptied if its paid interval ends within this number of periods, plus twice the time of its copies. A later plan has to release the empty
    // server before that end.
    private const double PeriodsBeforeEnd = 2.5;

    public static void Run(PlanningContext context)
    {
        if (context.UnplacedWhat.Count > 0)
            return;
        var movedTo = context.Moves.Select(move => move.To).ToHashSet();
        var candidates = context.Layout.Servers
            .Where(server => server.IsUsable && server.Order == Layouts.ServerOrder.None && !server.IsEmpty && server.Load < context.Policy.FillLimit && !movedTo.Contains(server) && !server.Bins.Any(context.Layout.IsLocked))
            .OrderBy(server => server.Load).ThenBy(server => server.Id).ToList();
        foreach (var server in candidates)
        {
            if (context.Moves.Any(move => move.To == server) || (context.Policy.Coalesce == CoalesceKind.WholeServers && server.Bins.Any(context.Layout.IsLocked)))
                continue;
            if (context.Policy.Coalesce == CoalesceKind.BinByBin)
                MoveEach(context, server);
            else if (EndsSoon(context, server))
                MoveAll(context, server);
        }
    }

    private static bool EndsSoon(PlanningContext context, PlannedServer server)
    {
        var copies = TimeSpan.FromSeconds(server.Bytes / context.Policy.CopyRate) * 2;
        return context.PaidAhead(server) <= context.Policy.Period * PeriodsBeforeEnd + copies;
    }

    private static void MoveEach(PlanningContext context, PlannedServer server)
    {
        foreach (var bin in server.Bins.ToList())
        {
            if (!context.Layout.IsLocked(bin) && context.MayMove && Target(context, bin, server, context.Policy.FillLimit) is { } target && target.Load >= server.Load)
                context.Move(bin, server, target, Because(context, bin, server, target));
        }
    }

    private static void MoveAll(PlanningContext context, PlannedServer server)
    {
        var layout = context.Layout;
        // The other servers must also have room for the load that may come or come back.
        var limit = context.Policy.FillLimit / context.Expected;
        var room = layout.Servers.Where(other => other != server && other.IsUsable && !other.IsEmpty).Sum(other => Math.Max(0, limit - other.Load) * context.Size(other.Type));
        if (room < server.Load * context.Size(server.Type) || Enough(context) || context.Moves.Count + server.Bins.Count > context.Policy.MostMoves)
            return;
        var load = server.Load;
        var moves = new List<(int Bin, PlannedServer To, double Load)>();
        foreach (var bin in server.Bins.OrderByDescending(bin => layout.Cost(bin, server)).ThenBy(bin => bin).ToList())
        {
            if (Target(context, bin, server, limit) is not { } target)
            {
                foreach (var (moved, to, _) in Enumerable.Reverse(moves))
                    layout.Move(moved, to, server);
                return;
            }

            moves.Add((bin, target, target.Load));
            layout.Move(bin, server, target);
        }

        foreach (var (bin, to, _) in moves)
        {
            layout.Lock(bin);
            context.Moves.Add(new PlannedMove(bin, server, to, new Reason(
                Rule.Coalesce,
                FormattableString.Invariant($"Server {server.Id}'s paid interval ends in {context.PaidAhead(server).TotalSeconds:0} s, and its whole load {load:0.00} fits on other servers below {limit:0.##}"),
                [new("load of the server", load), new("room on other servers", room), new("paid seconds left", context.PaidAhead(server).TotalSeconds)],
                [])));
        }
    }

    // Whether the smallest allowed number of servers is in use, so that emptying another one saves no cost.
    private static bool Enough(PlanningContext context) =>
        context.Layout.Servers.Count(server => !server.IsEmpty) <= Math.Max(context.Policy.LeastReplicas, 1) || context.Layout.Servers.Count <= context.Policy.LeastServers;

    private static PlannedServer? Target(PlanningContext context, int bin, PlannedServer from, double limit) =>
        context.BestFit(bin, context.Layout.Replicas(bin).Count, limit, empty: false, from);

    private static Reason Because(PlanningContext context, int bin, PlannedServer from, PlannedServer to) => new(
        Rule.Coalesce,
        FormattableString.Invariant($"Server {from.Id} is underloaded ({from.Load:0.00}), and server {to.Id} ({to.Load:0.00}) is the fullest that can accept bin {bin}"),
        [new("load of the source", from.Load), new("load of the target", to.Load), new("load of the bin", context.Layout.Cost(bin, from))],
        context.Rejections(bin, context.Layout.Replicas(bin).Count, context.Policy.FillLimit, to));
}
