using Stout.Director.Actions;
using Stout.Director.Decisions;

namespace Stout.Director.Planning;

/// <summary>Gives further replicas to a bin whose load is too high for each server that holds it (the paper's algorithm 1, lines 7 and 8).</summary>
internal static class HotBin
{
    // The least share of a server that a further replica has left for reads. Every replica takes all writes, so with less a load that no number of replicas
    // serves would be answered by ever more of them.
    public const double LeastReads = 0.1;

    public static void Spread(PlanningContext context, int bin, PlannedServer source)
    {
        var layout = context.Layout;
        var rates = layout.Rates(bin);
        var type = source.Type;
        var limit = context.Policy.FillLimit;
        var writes = type.SteadyState.Utilization(0, rates.Puts);
        if (writes > limit - LeastReads)
        {
            context.Find(
                FindingKind.CannotBeHelped,
                FormattableString.Invariant($"Cannot be helped: bin {bin} takes {rates.Puts:#,0} writes/s, and every replica takes all of them; one server of type {type.Name} can do {limit / type.SteadyState.CostOfPut:#,0} and no reads."));
            return;
        }

        var present = layout.Replicas(bin).Count;
        var needed = present + 1;
        while (layout.Cost(bin, needed, type) > limit && needed <= context.Policy.MostServers)
            needed++;
        var cost = layout.Cost(bin, present, type);
        for (var replicas = present; replicas < needed; replicas++)
        {
            var target = context.BestFit(bin, needed, double.MaxValue, empty: true) ?? context.BestFit(bin, needed, limit, empty: false);
            if (target is null)
            {
                context.Miss(needed - replicas, layout.Bytes(bin) * (needed - replicas), type, $"{needed - replicas} further replicas of bin {bin}");
                return;
            }

            var reason = new Reason(
                Rule.HotBin,
                FormattableString.Invariant($"Bin {bin} takes {rates.Gets:#,0} reads/s and {rates.Puts:#,0} writes/s, {cost:0.00} of each server that holds it: {needed} replicas instead of {present} take {layout.Cost(bin, needed, type):0.00} of each"),
                [new("reads/s", rates.Gets), new("writes/s", rates.Puts), new("replicas", present), new("replicas needed", needed)],
                context.Rejections(bin, needed, limit, target));
            layout.Add(bin, target);
            context.Do(ActionKind.Replicate, [bin], source.Id, target.Id, reason);
        }
    }
}
