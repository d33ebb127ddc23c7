using Stout.Director.Decisions;
using Stout.Director.Layouts;

namespace Stout.Director.Planning;

/// <summary>Moves the bins of servers that the operator wants drained.</summary>
internal static class DrainStep
{
    public static void Run(PlanningContext context)
    {
        var layout = context.Layout;
        foreach (var server in layout.Servers.Where(server => server.Order == ServerOrder.Drain))
        {
            foreach (var bin in server.Bins.Where(bin => !layout.IsLocked(bin)).ToList())
            {
                if (!context.MayMove)
                    return;
                var replicas = layout.Replicas(bin).Count;
                var target = context.BestFit(bin, replicas, context.Policy.FillLimit, empty: false, server) ?? context.BestFit(bin, replicas, double.MaxValue, empty: true, server);
                if (target is null)
                    context.Miss(layout.Cost(bin, server), layout.Bytes(bin), server.Type, $"bin {bin} of server {server.Id}, which is to be drained");
                else
                    context.Move(bin, server, target, new Reason(Rule.Order, $"Server {server.Id} is to be drained", [], []));
            }
        }
    }
}
