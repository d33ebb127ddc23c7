using Stout.Director.Actions;
using Stout.Director.Decisions;

namespace Stout.Director.Planning;

/// <summary>
/// Adds a replica to each bin with too few replicas, and gives each bin without replicas a new owner. Spreads replicas that are all in one zone.
/// </summary>
internal static class RepairStep
{
    public static void Run(PlanningContext context, Layouts.Layout actual)
    {
        var layout = context.Layout;
        for (var bin = 0; bin < layout.Bins; bin++)
        {
            if (layout.IsLocked(bin))
                continue;
            var replicas = layout.Replicas(bin).Count;
            if (replicas == 0)
                Recover(context, bin);
            else if (replicas < context.Policy.LeastReplicas)
                Replicate(context, bin, actual);
            else if (replicas > 1 && layout.HasZones && layout.Replicas(bin).All(server => server.Zone == layout.Replicas(bin)[0].Zone))
                Spread(context, bin);
        }
    }

    private static void Recover(PlanningContext context, int bin)
    {
        context.Findings.Add(new Finding(FindingKind.LostBin, $"Bin {bin} has no whole replica on a live server."));
        if (Place(context, bin, 1) is not { } server)
        {
            context.Miss(context.Layout.Cost(bin, 1, context.Settings.Types[0]), context.Layout.Bytes(bin), context.Settings.Types[0], $"lost bin {bin}");
            return;
        }

        context.Layout.Add(bin, server);
        context.Do(ActionKind.Recover, [bin], -1, server.Id, new Reason(Rule.Repair, $"Bin {bin} has no whole replica on a live server", [], []));
    }

    private static void Replicate(PlanningContext context, int bin, Layouts.Layout actual)
    {
        var layout = context.Layout;
        var source = layout.Replicas(bin).FirstOrDefault(server => actual.Holds(bin, server.Id));
        if (source is null)
            return;
        var replicas = layout.Replicas(bin).Count;
        if (Place(context, bin, replicas + 1) is not { } server)
        {
            context.Miss(layout.Cost(bin, replicas + 1, context.Settings.Types[0]), layout.Bytes(bin), context.Settings.Types[0], $"a replica of bin {bin}");
            return;
        }

        if (!context.MayMove)
            return;
        layout.Add(bin, server);
        layout.Lock(bin);
        var reason = new Reason(
            Rule.Repair,
            $"Bin {bin} has {replicas} of at least {context.Policy.LeastReplicas} replicas",
            [new("replicas", replicas), new("least replicas", context.Policy.LeastReplicas)],
            []);
        context.Moves.Add(new PlannedMove(bin, source, server, reason, ActionKind.Replicate));
    }

    private static void Spread(PlanningContext context, int bin)
    {
        var replicas = context.Layout.Replicas(bin);
        var limit = context.Policy.FillLimit;
        var from = replicas[^1];
        var target = context.BestFit(bin, replicas.Count, limit, empty: false, from) ?? context.BestFit(bin, replicas.Count, double.MaxValue, empty: true, from);
        if (target is not null && target.Zone != from.Zone && context.MayMove)
            context.Move(bin, from, target, new Reason(Rule.Repair, $"All replicas of bin {bin} are in zone {from.Zone}, and server {target.Id} of zone {target.Zone} has room", [], []));
    }

    // Replication is more important than load: without a server below the limit and without an empty server, the least loaded server takes the bin.
    private static PlannedServer? Place(PlanningContext context, int bin, int replicas) =>
        context.BestFit(bin, replicas, context.Policy.FillLimit, empty: false)
        ?? context.BestFit(bin, replicas, double.MaxValue, empty: true)
        ?? context.Layout.Servers
            .Where(server => server.IsUsable && !context.Layout.Holds(bin, server) && context.HasMemory(bin, server))
            .MinBy(server => (context.IsCrowded(bin, server, null), server.Load));
}
