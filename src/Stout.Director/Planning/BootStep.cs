using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;

namespace Stout.Director.Planning;

/// <summary>Releases leased servers that do not boot. The planner leases others in their place.</summary>
internal static class BootStep
{
    // A server counts as failed after twice the usual boot time plus three periods. The periods matter if the boot time is short.
    private const double Factor = 2;
    private const double Periods = 3;

    public static List<ServerState> TooSlow(DirectorPolicy policy, ClusterObservation observation) =>
        [.. observation.Servers.Where(server => server.Phase == ServerPhase.Booting && server.LeaseAge > policy.BootTime * Factor + policy.Period * Periods)];

    public static void Run(PlanningContext context, List<ServerState> slow, IReadOnlyCollection<DirectorAction> pending)
    {
        foreach (var server in slow.Where(server => !pending.Any(action => action.Kind == ActionKind.Release && action.From == server.Id)))
        {
            var reason = new Reason(
                Rule.FailedBoot,
                FormattableString.Invariant($"Server {server.Id} was leased {server.LeaseAge.TotalSeconds:0} s ago and has not booted; {context.Policy.BootTime.TotalSeconds:0} s are usual"),
                [new("seconds since the lease", server.LeaseAge.TotalSeconds), new("usual seconds", context.Policy.BootTime.TotalSeconds)],
                []);
            context.Do(ActionKind.Release, [], server.Id, -1, reason);
        }
    }
}
