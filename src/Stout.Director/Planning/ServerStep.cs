using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;
using Stout.Director.Models;

namespace Stout.Director.Planning;

/// <summary>Leases and releases servers (the paper's algorithm 1, line 21). All amounts are in servers of the first type.</summary>
internal static class ServerStep
{
    private const double ReleasePeriods = 2.5;
    private const double Rounding = 1e-9;

    public static void Run(PlanningContext context, int reserve, IReadOnlySet<int> engaged)
    {
        var servers = context.Layout.Servers;
        foreach (var drained in servers.Where(server => server.Order == ServerOrder.Drain && server.IsEmpty && !engaged.Contains(server.Id)))
            context.Do(ActionKind.Release, [], drained.Id, -1, new Reason(Rule.Order, $"Server {drained.Id} is to be drained, and is empty", [], []));

        var empty = servers.Where(server => server.IsUsable && server.IsEmpty).ToList();
        var have = empty.Sum(server => context.Size(server.Type)) + context.Booting.Sum(context.Size);
        var unplaced = Math.Max(context.Unplaced / context.Policy.FillLimit, (double)context.UnplacedBytes / context.Settings.Types[0].Memory);
        var needed = unplaced + reserve;
        var leased = servers.Count(server => server.Order != ServerOrder.Drain) + context.Booting.Count;
        var missing = Math.Max(needed - have, context.Policy.LeastServers - leased);
        if (missing > Rounding)
            Lease(context, missing, unplaced, reserve, have);
        else
            Release(context, empty.Where(server => server.Order == ServerOrder.None && !engaged.Contains(server.Id)), have - unplaced - Math.Max(reserve, Beside(context, context.Expected)), reserve);
    }

    /// <summary>The servers that are needed beside the used ones if the load becomes a multiple of what it is. Room on the used servers is subtracted.</summary>
    public static double Beside(PlanningContext context, double multiple)
    {
        var used = context.Layout.Servers.Where(server => !server.IsEmpty).ToList();
        var more = used.Sum(server => context.Servable(server) * context.Size(server.Type)) * (multiple - 1);
        var room = used.Where(server => server.IsUsable).Sum(server => Math.Max(0, context.Policy.FillLimit - server.Load) * context.Size(server.Type));
        return Math.Max(0, more - room) / context.Policy.FillLimit;
    }

    private static void Lease(PlanningContext context, double missing, double unplaced, int reserve, double have)
    {
        var types = Cheapest(context, missing);
        var allowed = Allowed(context, types);
        var (rule, predicate) = true switch
        {
            _ when unplaced > Rounding => (Rule.Shortage, FormattableString.Invariant($"{unplaced:0.00} servers' load or memory finds no place ({string.Join(", ", context.UnplacedWhat.Take(3))}{(context.UnplacedWhat.Count > 3 ? ", …" : "")})")),
            _ when have < reserve => (Rule.Reserve, FormattableString.Invariant($"{have:0.##} empty or booting servers are fewer than the {reserve} kept ready")),
            _ => (Rule.Reserve, $"fewer servers are leased than the least number of {context.Policy.LeastServers}"),
        };
        foreach (var type in types.Take(allowed))
        {
            var reason = new Reason(rule, predicate, [new("unplaced servers", unplaced), new("kept ready", reserve), new("empty or booting", have)], OtherTypes(context, type));
            context.Do(ActionKind.Lease, [], -1, -1, reason, type.Name);
        }
    }

    // The cheapest servers that make up for the missing ones: whole ones of one type, and then the cheapest ones for the rest.
    private static List<ServerType> Cheapest(PlanningContext context, double missing)
    {
        var (best, least) = (new List<ServerType>(), double.PositiveInfinity);
        // More are never leased by one plan, and a huge number would fill the memory.
        var most = context.Policy.MostLeases;
        foreach (var first in context.Settings.Types.OrderByDescending(context.Size))
        {
            var whole = (int)Math.Min(most, Math.Floor(missing / context.Size(first) + Rounding));
            var rest = missing - whole * context.Size(first);
            foreach (var last in context.Settings.Types.OrderByDescending(context.Size))
            {
                var further = rest > Rounding ? (int)Math.Min(most, Math.Ceiling(rest / context.Size(last) - Rounding)) : 0;
                var price = whole * first.Price + further * last.Price;
                if (price < least)
                    (best, least) = ([.. Enumerable.Repeat(first, whole), .. Enumerable.Repeat(last, further)], price);
            }
        }

        return best;
    }

    // The number of leases that the bounds of a plan and the operator's budgets leave. A finding tells each budget that is exceeded.
    private static int Allowed(PlanningContext context, List<ServerType> types)
    {
        var policy = context.Policy;
        var allowed = types.Count;
        var leased = context.Layout.Servers.Count + context.Booting.Count;
        Bound(policy.MostServers - leased, FindingKind.Budget, $"the budget of {policy.MostServers} servers");
        Bound(policy.MostLeasesPerHour - context.LeasesLastHour, FindingKind.Budget, $"the budget of {policy.MostLeasesPerHour} leases an hour");
        var price = context.Layout.Servers.Sum(server => server.Type.Price) + context.Booting.Sum(type => type.Price);
        var affordable = types.TakeWhile(type => (price += type.Price) * (TimeSpan.FromHours(1) / policy.ChargeInterval) <= policy.MostCostPerHour).Count();
        Bound(affordable, FindingKind.Budget, FormattableString.Invariant($"the budget of {policy.MostCostPerHour:0.##} an hour"));
        Bound(policy.MostLeases, FindingKind.Bounded, $"the bound of {policy.MostLeases} leases a plan");
        return allowed;

        void Bound(int most, FindingKind kind, string what)
        {
            if (allowed <= most)
                return;
            allowed = Math.Max(0, most);
            context.Find(kind, $"{types.Count} more servers are needed; {what} allows {allowed} beside the {leased} that are leased.");
        }
    }

    private static List<Rejection> OtherTypes(PlanningContext context, ServerType chosen) =>
        [.. context.Settings.Types.Where(type => type != chosen).Select(type => new Rejection("type " + type.Name, "costs more for this load"))];

    private static void Release(PlanningContext context, IEnumerable<PlannedServer> free, double surplus, int reserve)
    {
        var left = context.Layout.Servers.Count(server => server.Order != ServerOrder.Drain);
        var least = Math.Max(context.Policy.LeastServers, context.Policy.LeastReplicas);
        foreach (var server in free.OrderBy(context.PaidAhead).ThenBy(server => server.Id))
        {
            var ahead = context.PaidAhead(server);
            if (left <= least || ahead > context.Policy.Period * ReleasePeriods)
                return;
            var size = context.Size(server.Type);
            if (size > surplus + Rounding)
                continue;
            var reason = new Reason(
                Rule.Surplus,
                FormattableString.Invariant($"Server {server.Id} is empty, {surplus:0.##} more than needed, {reserve} kept ready, and its paid interval ends in {ahead.TotalSeconds:0} s"),
                [new("empty servers too many", surplus), new("kept ready", reserve), new("paid seconds left", ahead.TotalSeconds)],
                []);
            context.Do(ActionKind.Release, [], server.Id, -1, reason);
            server.IsUsable = false;
            surplus -= size;
            left--;
        }
    }
}
