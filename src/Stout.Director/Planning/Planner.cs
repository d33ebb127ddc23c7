using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;
using Stout.Director.Loads;

namespace Stout.Director.Planning;

/// <summary>One iteration of the paper's algorithm 1: from loads and layout to new actions.</summary>
internal static class Planner
{
    /// <summary>The input of one plan.</summary>
    /// <param name="Now">The Director's time.</param>
    /// <param name="Observation">The cluster.</param>
    /// <param name="Forecast">The load to plan for.</param>
    /// <param name="Pending">The unfinished actions.</param>
    /// <param name="IsUsable">Whether a live server may become a target or be emptied.</param>
    internal sealed record Input(TimeSpan Now, ClusterObservation Observation, LoadForecast Forecast, IReadOnlyCollection<DirectorAction> Pending, Predicate<int> IsUsable)
    {
        /// <summary>The factor by which requests cost more than the model says.</summary>
        public double Correction { get; init; } = 1;

        /// <summary>The number of leases of the last hour.</summary>
        public int LeasesLastHour { get; init; }
    }

    public static (PlanningContext Context, double Load, int Reserve) Run(DirectorSettings settings, Input input, Reserve reserve, Func<long> nextId)
    {
        var layout = Build(settings, input, out var occupied);
        var slow = BootStep.TooSlow(settings.Policy, input.Observation);
        var types = settings.Types.ToDictionary(type => type.Name);
        var context = new PlanningContext(settings, layout, nextId)
        {
            Booting =
            [
                .. input.Observation.Servers.Where(server => server.Phase == ServerPhase.Booting && !slow.Contains(server)).Select(server => types[server.Type]),
                .. input.Pending.Where(action => action.Kind == ActionKind.Lease).Select(action => types[action.Type]),
            ],
            LeasesLastHour = input.LeasesLastHour,
        };
        var load = layout.Servers.Sum(server => server.Load * context.Size(server.Type));
        // Load that no server can carry comes and goes without any server for it.
        var servable = layout.Servers.Sum(server => context.Servable(server) * context.Size(server.Type));
        var growth = reserve.Growth(input.Now, servable);
        context.Expected = servable > 0 ? Math.Max(1 + growth, reserve.Recent / servable) : 1;

        BootStep.Run(context, slow, input.Pending);
        RepairStep.Run(context, input.Observation.Layout);
        DrainStep.Run(context);
        SurplusReplicaStep.Run(context);
        OverloadStep.Run(context);
        Extrapolation(context);
        CoalesceStep.Run(context);
        MoveGrouping.Run(context);
        foreach (var action in input.Pending)
            occupied.UnionWith([action.From, action.To]);
        foreach (var action in context.Actions)
            occupied.UnionWith([action.From, action.To]);
        reserve.Want(ServerStep.Beside(context, 1 + growth));
        ServerStep.Run(context, reserve.Servers, occupied);
        return (context, load, reserve.Servers);
    }

    private static PlannedLayout Build(DirectorSettings settings, Input input, out HashSet<int> occupied)
    {
        var releasing = input.Pending.Where(action => action.Kind == ActionKind.Release).Select(action => action.From).ToHashSet();
        var types = settings.Types.ToDictionary(type => type.Name);
        var servers = input.Observation.Servers.Where(server => server.Phase == ServerPhase.Live)
            .Select(server => new PlannedServer(server, types[server.Type], input.IsUsable(server.Id) && !releasing.Contains(server.Id), input.Observation.Orders.GetValueOrDefault(server.Id)))
            .ToList();
        var byId = servers.ToDictionary(server => server.Id);
        var factor = (1 + settings.Policy.Overprovisioning) * input.Correction;
        var layout = new PlannedLayout([.. input.Forecast.Next.Select(rates => rates * factor)], input.Observation.BinBytes, settings.Policy.ReadFanOut, servers);
        occupied = [];
        for (var bin = 0; bin < layout.Bins; bin++)
        {
            foreach (var id in input.Observation.Layout.Replicas(bin))
            {
                occupied.Add(id);
                if (byId.TryGetValue(id, out var server))
                    layout.Add(bin, server);
            }
        }

        foreach (var action in input.Pending)
        {
            foreach (var bin in action.Bins)
                Apply(layout, bin, byId.GetValueOrDefault(action.From), byId.GetValueOrDefault(action.To), action.Kind);
        }

        return layout;
    }

    // Locks the bin of an unfinished action, and changes the layout as if the action were done.
    private static void Apply(PlannedLayout layout, int bin, PlannedServer? from, PlannedServer? to, ActionKind kind)
    {
        layout.Lock(bin);
        if (to is not null && !layout.Holds(bin, to))
            layout.Add(bin, to);
        if (kind is ActionKind.Move or ActionKind.Remove && from is not null && layout.Holds(bin, from))
            layout.Remove(bin, from);
    }

    private static void Extrapolation(PlanningContext context)
    {
        foreach (var server in context.Layout.Servers.Where(server => server.Load > 1))
        {
            double gets = 0, puts = 0;
            foreach (var bin in server.Bins)
            {
                var replicas = context.Layout.Replicas(bin).Count;
                gets += context.Layout.Rates(bin).Gets * Math.Min(context.Policy.ReadFanOut, replicas) / replicas;
                puts += context.Layout.Rates(bin).Puts;
            }

            var trained = server.Type.SteadyState.Trained;
            if (!trained.Covers(gets, puts))
            {
                context.Findings.Add(new Finding(
                    FindingKind.Extrapolation,
                    FormattableString.Invariant($"Server {server.Id} would take {gets:#,0} gets/s and {puts:#,0} puts/s; the model of {server.Type.Name} is trained up to {trained.MostGets:#,0} and {trained.MostPuts:#,0}: its prediction is an extrapolation.")));
            }
        }
    }
}
