using Stout.Director.Actions;
using Stout.Director.Decisions;

namespace Stout.Director.Planning;

/// <summary>Removes replicas that a bin's load no longer needs (the paper's algorithm 1, lines 13 and 14).</summary>
internal static class SurplusReplicaStep
{
    // The servers of the other replicas must stay below this share of the fill limit. Otherwise the replica might be needed again in the next period.
    private const double Room = 0.85;

    public static void Run(PlanningContext context)
    {
        var layout = context.Layout;
        for (var bin = 0; bin < layout.Bins; bin++)
        {
            var replicas = layout.Replicas(bin);
            if (replicas.Count <= context.Policy.LeastReplicas || layout.IsLocked(bin) || !replicas.All(server => server.IsUsable))
                continue;
            var extra = layout.Cost(bin, replicas.Count - 1, replicas[0]) - layout.Cost(bin, replicas[0]);
            var limit = context.Policy.FillLimit * Room;
            // Chooses a server whose zone has another replica, then the server with the fewest bins, since it may become empty, then the most loaded one.
            var server = replicas.OrderBy(one => !context.IsCrowded(bin, one, null)).ThenBy(one => one.Bins.Count).ThenByDescending(one => one.Load).ThenBy(one => one.Id).First();
            if (replicas.Any(other => other != server && (other.Load + extra) * context.Expected > limit))
                continue;
            var reason = new Reason(
                Rule.SurplusReplica,
                FormattableString.Invariant($"Bin {bin} has {replicas.Count} replicas, and with one less no server that holds it is loaded above {limit:0.##}"),
                [new("replicas", replicas.Count), new("load added to each other replica", extra)],
                []);
            layout.Remove(bin, server);
            context.Do(ActionKind.Remove, [bin], server.Id, -1, reason);
        }
    }
}
