using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Models;

namespace Stout.Director.Planning;

/// <summary>Leases and releases servers (the paper's algorithm 1, line 21).</summary>
internal static class ServerStep
{
    private const double ReleasePeriods = 2.5;

    public static void Run(PlanningContext context, int reserve, IReadOnlySet<int> engaged)
    {
        var layout = context.Layout;
        var empty = layout.Servers.Where(server => server.IsUsable && server.IsEmpty).ToList();
        var unplaced = (int)Math.Ceiling(context.Unplaced / context.Policy.FillLimit - 1e-9);
        var ready = Math.Max(reserve, Growing(context));
        var needed = unplaced + ready;
        var have = empty.Count + context.Booting;
        if (needed > have)
            Lease(context, needed - have, unplaced, ready, have);
        else if (needed < have)
            Release(context, empty.Where(server => !engaged.Contains(server.Id)), have - needed, reserve);
    }

    // The number of servers that the load's growth needs until a server leased now has booted. The room on the used servers is subtracted.
    private static int Growing(PlanningContext context)
    {
        if (context.Growth <= 1.02)
            return 0;
        var used = context.Layout.Servers.Where(server => !server.IsEmpty).ToList();
        var more = used.Sum(server => server.Load) * (context.Growth - 1);
        var room = used.Sum(server => Math.Max(0, context.Policy.FillLimit - server.Load));
        return (int)Math.Ceiling(Math.Max(0, more - room) / context.Policy.FillLimit);
    }

    private static void Lease(PlanningContext context, int number, int unplaced, int ready, int have)
    {
        var leased = context.Layout.Servers.Count + context.Booting;
        var allowed = Math.Max(0, context.Policy.MostServers - leased);
        if (number > allowed)
        {
            context.Findings.Add(new Finding(
                FindingKind.Budget, $"{number} more servers are needed; the budget of {context.Policy.MostServers} allows {allowed} beside the {leased} that are leased."));
        }

        var type = Cheapest(context, number);
        var rule = unplaced > 0 ? Rule.Shortage : Rule.Reserve;
        var predicate = unplaced > 0
            ? $"{context.Unplaced:0.00} servers' load finds no place ({string.Join(", ", context.UnplacedWhat.Take(3))}{(context.UnplacedWhat.Count > 3 ? ", …" : "")})"
            : $"{have} empty or booting servers are fewer than the {ready} kept ready";
        var reason = new Reason(rule, predicate, [new("unplaced load", context.Unplaced), new("kept ready", ready), new("empty or booting", have)], OtherTypes(context, type));
        for (var i = 0; i < Math.Min(number, allowed); i++)
            context.Do(ActionKind.Lease, [], -1, -1, reason, type.Name);
    }

    // The type with the lowest price for the missing load, in whole servers.
    private static ServerType Cheapest(PlanningContext context, int number)
    {
        var types = context.Settings.Types;
        return types.OrderBy(type => type.Price * Math.Ceiling(number * Size(types[0]) / Size(type) - 1e-9)).ThenByDescending(Size).First();
    }

    // Compares types at a mix of 95 % gets and 5 % puts, since capacity differs far more between types than between mixes.
    private static double Size(ServerType type) => type.SteadyState.Capacity(0.95);

    private static List<Rejection> OtherTypes(PlanningContext context, ServerType chosen) =>
        [.. context.Settings.Types.Where(type => type != chosen).Select(type => new Rejection("type " + type.Name, "costs more for this load"))];

    private static void Release(PlanningContext context, IEnumerable<PlannedServer> free, int surplus, int reserve)
    {
        var left = context.Layout.Servers.Count;
        var least = Math.Max(context.Policy.LeastServers, context.Policy.LeastReplicas);
        foreach (var server in free.OrderBy(context.PaidAhead).ThenBy(server => server.Id))
        {
            var ahead = context.PaidAhead(server);
            if (surplus == 0 || left <= least || ahead > context.Policy.Period * ReleasePeriods)
                return;
            var reason = new Reason(
                Rule.Surplus,
                FormattableString.Invariant($"Server {server.Id} is empty, {surplus} more than needed, {reserve} kept ready, and its paid interval ends in {ahead.TotalSeconds:0} s"),
                [new("empty servers too many", surplus), new("kept ready", reserve), new("paid seconds left", ahead.TotalSeconds)],
                []);
            context.Do(ActionKind.Release, [], server.Id, -1, reason);
            server.IsUsable = false;
            surplus--;
            left--;
        }
    }
}
