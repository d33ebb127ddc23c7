using Stout.Director.Decisions;

namespace Stout.Director.Planning;

/// <summary>Relieves overloaded servers (the paper's algorithm 1, lines 4 to 11).</summary>
internal static class OverloadStep
{
    public static void Run(PlanningContext context)
    {
        foreach (var server in context.Layout.Servers.Where(IsOverloaded).OrderByDescending(server => server.Load).ThenBy(server => server.Id).ToList())
            Relieve(context, server);
    }

    private static bool IsOverloaded(PlannedServer server) => server.Load > 1 || server.Bytes > server.Type.Memory;

    private static void Relieve(PlanningContext context, PlannedServer server)
    {
        var before = server.Load;
        if (!IsOverloaded(server))
            return;
        if (server.Bytes > server.Type.Memory)
        {
            context.Find(FindingKind.Memory, FormattableString.Invariant($"Server {server.Id} holds {server.Bytes / 1e6:#,0} MB, more than the {server.Type.Memory / 1e6:#,0} MB of {server.Type.Name}."));
            if (server.Bins.Count == 1)
                context.Find(FindingKind.CannotBeHelped, FormattableString.Invariant($"Cannot be helped: bin {server.Bins[0]} has {server.Bytes / 1e6:#,0} MB, and a server of type {server.Type.Name} {server.Type.Memory / 1e6:#,0} MB."));
        }

        var hottest = server.Bins.Where(bin => !context.Layout.IsLocked(bin)).DefaultIfEmpty(-1).MaxBy(bin => bin < 0 ? 0 : context.Layout.Cost(bin, server));
        if (hottest >= 0 && context.Layout.Cost(hottest, server) > 1)
            HotBin.Spread(context, hottest, server);
        while (IsAbove(context, server) && server.Bins.Count > 1)
        {
            if (!context.MayMove)
                return;
            if (MoveOne(context, server, before))
                continue;
            var (load, bytes) = (Math.Max(0, context.Servable(server) - context.Policy.FillLimit), Math.Max(0, server.Bytes - server.Type.Memory));
            context.Miss(load, bytes, server.Type, bytes > 0 ? FormattableString.Invariant($"{bytes / 1e6:#,0} MB of server {server.Id}") : FormattableString.Invariant($"{load:0.00} of server {server.Id}'s load"));
            return;
        }
    }

    // A server that is loaded above 1 is relieved down to the fill limit.
    private static bool IsAbove(PlanningContext context, PlannedServer server) => server.Load > context.Policy.FillLimit || server.Bytes > server.Type.Memory;

    private static bool MoveOne(PlanningContext context, PlannedServer server, double before)
    {
        var order = Order(context, server);
        var impossible = double.MaxValue;
        foreach (var bin in order)
        {
            var cost = context.Layout.Cost(bin, server);
            if (cost >= impossible)
                continue;
            if (context.BestFit(bin, context.Layout.Replicas(bin).Count, context.Policy.FillLimit, empty: false, server) is { } target)
            {
                Move(context, bin, server, target, before);
                return true;
            }

            impossible = cost;
        }

        foreach (var bin in order)
        {
            if (context.BestFit(bin, context.Layout.Replicas(bin).Count, double.MaxValue, empty: true, server) is not { } target)
                continue;
            Move(context, bin, server, target, before);
            return true;
        }

        return false;
    }

    private static List<int> Order(PlanningContext context, PlannedServer server)
    {
        var layout = context.Layout;
        // A bin without load relieves no server. Such a bin may be one that no report has covered, so that its load at the target would be unknown.
        var movable = server.Bins.Where(bin => !layout.IsLocked(bin) && layout.Cost(bin, server) > 0).OrderByDescending(bin => layout.Cost(bin, server)).ThenBy(bin => bin).ToList();
        if (context.Policy.Choice == BinChoice.Hottest)
            return movable;
        var excess = server.Load - context.Policy.FillLimit;
        var sufficient = movable.Where(bin => layout.Cost(bin, server) >= excess).Reverse().ToList();
        return [.. sufficient, .. movable.Skip(sufficient.Count)];
    }

    private static void Move(PlanningContext context, int bin, PlannedServer from, PlannedServer to, double before)
    {
        var replicas = context.Layout.Replicas(bin).Count;
        var limit = context.Policy.FillLimit;
        var reason = new Reason(
            Rule.Overload,
            FormattableString.Invariant($"Server {from.Id}'s predicted load {before:0.00} is above 1{(from.Bytes + context.Layout.Bytes(bin) > from.Type.Memory ? " or its memory too small" : "")}; server {to.Id} (load {to.Load:0.00}) is the fullest that stays below {limit:0.##} with bin {bin}"),
            [new("load of the source", before), new("load of the target", to.Load), new("load of the bin", context.Layout.Cost(bin, from)), new("limit", limit)],
            context.Rejections(bin, replicas, limit, to));
        context.Move(bin, from, to, reason);
    }
}
