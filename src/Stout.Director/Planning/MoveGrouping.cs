using Stout.Director.Actions;
using Stout.Director.Decisions;

namespace Stout.Director.Planning;

/// <summary>Makes actions of the planned moves: moves between the same two servers become one action, and long actions are split (the paper's §5.3).</summary>
internal static class MoveGrouping
{
    public static void Run(PlanningContext context)
    {
        foreach (var group in context.Moves.GroupBy(move => (move.From, move.To, move.Kind)))
        {
            var (from, to, kind) = group.Key;
            var model = to.Type.Copies;
            // The get rate that would load the two servers together as much as their actual gets and puts. Each server's load counts up to twice its
            // capacity.
            var gets = (Math.Min(from.Load, 2) + Math.Min(to.Load, 2)) / to.Type.SteadyState.CostOfGet;
            var longest = context.Policy.LongestAction;
            var chunk = new List<PlannedMove>();
            var bytes = 0L;
            foreach (var move in group)
            {
                if (chunk.Count > 0 && model.Duration(bytes + context.Layout.Bytes(move.Bin), context.Policy.CopyRate, gets, 0) > longest)
                    Flush();
                chunk.Add(move);
                bytes += context.Layout.Bytes(move.Bin);
            }

            Flush();

            void Flush()
            {
                var reason = chunk[0].Reason;
                if (chunk.Count > 1)
                    reason = reason with { Inputs = [.. reason.Inputs, new Quantity("bins in this action", chunk.Count)] };
                context.Do(kind, [.. chunk.Select(move => move.Bin)], from.Id, to.Id, reason);
                chunk.Clear();
                bytes = 0;
            }
        }
    }
}
