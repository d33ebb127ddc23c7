using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;
using Stout.Director.Loads;
using Stout.Director.Simulation.Clusters;

namespace Stout.Director.Tests.Faults;

/// <summary>
/// The network between a Director and its cluster. Commands, answers and reports get lost, or come late or twice. It checks every command against a
/// naive model of the allowed commands.
/// </summary>
internal sealed class FaultyCluster(SimulatedCluster cluster, FaultyIntents intents, FaultDice dice, PlantedBug bug, List<string> violations)
{
    private readonly List<(ClusterCommand Command, long Epoch)> _late = [];
    private List<ServerReport> _lateReports = [];
    private HashSet<int> _reported = [];
    private long _newest;

    /// <summary>The servers whose reports reached the Director in the last plan.</summary>
    public IReadOnlySet<int> Reported => _reported;

    public IElasticCluster Connect() => new Connection(this);

    /// <summary>Delivers late commands, each with a probability of 1/3, or all of them if there are no more faults.</summary>
    public void Deliver()
    {
        var due = _late.Where(_ => dice.Random.Next(3) == 0 || !dice.IsOn).ToList();
        _late.RemoveAll(due.Contains);
        foreach (var (command, epoch) in due)
            Do(command, epoch, isPrompt: false);
    }

    private long Claim()
    {
        _newest = cluster.ClaimAsync(default).AsTask().GetAwaiter().GetResult();
        return _newest;
    }

    private ClusterObservation Observe(bool withReports)
    {
        dice.MayCrash("observation");
        var observation = cluster.ObserveAsync(withReports, default).AsTask().GetAwaiter().GetResult();
        if (!withReports)
            return observation;
        var reports = _lateReports.Concat(observation.Reports).ToList();
        _lateReports = [];
        var delivered = new List<ServerReport>();
        foreach (var whole in reports)
        {
            if (dice.Roll(0.08))
                continue;
            // A report may lack some bins, or all of them.
            var report = dice.Roll(0.04) ? whole with { Visits = [.. whole.Visits.Where(_ => dice.Random.Next(3) > 0)] } : whole;
            if (dice.Roll(0.04))
            {
                _lateReports.Add(report with { Age = report.Age + TimeSpan.FromSeconds(20) });
                continue;
            }

            delivered.Add(report);
            if (dice.Roll(0.04))
                delivered.Add(report);
        }

        // Sometimes no report arrives at all.
        if (dice.Roll(0.02))
            delivered.Clear();
        _reported = [.. delivered.Select(report => report.Server)];
        if (bug == PlantedBug.CountsSilenceAsZero)
        {
            delivered.AddRange(observation.Servers.Where(server => server.Phase == ServerPhase.Live && !_reported.Contains(server.Id))
                .Select(server => new ServerReport(server.Id, 1_000_000 + (long)cluster.Now, TimeSpan.Zero, [])));
        }

        return observation with { Reports = delivered };
    }

    private CommandOutcome Send(ClusterCommand command, long epoch)
    {
        var kind = command.GetType().Name;
        dice.MayCrash(kind + ", before");
        if (dice.Roll(0.03))
            return CommandOutcome.Unknown;
        if (dice.Roll(0.03))
        {
            _late.Add((command, epoch));
            return CommandOutcome.Unknown;
        }

        var outcome = Do(command, epoch, isPrompt: true);
        if (dice.Roll(0.02))
            Do(command, epoch, isPrompt: true);
        dice.MayCrash(kind + ", after");
        return dice.Roll(0.03) ? CommandOutcome.Unknown : outcome;
    }

    private CommandOutcome Do(ClusterCommand command, long epoch, bool isPrompt)
    {
        if (command is LeaseServer && dice.Roll(0.2))
            return CommandOutcome.Refused;
        cluster.BootDelay = dice.Roll(0.15) ? (dice.Random.Next(2) == 0 || !dice.MayOutlast ? 30 : double.PositiveInfinity) : 0;
        var isStale = epoch < _newest;
        if (isPrompt && !isStale)
            Judge(command);
        var outcome = cluster.SendAsync(command, bug == PlantedBug.IgnoresTheEpoch ? _newest : epoch, default).AsTask().GetAwaiter().GetResult();
        if (isStale && outcome != CommandOutcome.Fenced)
            violations.Add($"a command of epoch {epoch} was carried out under epoch {_newest}: {command}");
        if (bug == PlantedBug.RemovesBeforeTheLastMove && command is CopyBins copy && outcome == CommandOutcome.Accepted)
        {
            var drop = new DropReplicas(copy.Action, copy.Bins, copy.From);
            Judge(drop);
            _ = cluster.SendAsync(drop, _newest, default).AsTask().GetAwaiter().GetResult();
        }

        return outcome;
    }

    private void Judge(ClusterCommand command)
    {
        // A cancellation ends its action, so the action is no longer among the intents. If it gets lost, the next claim ends the copy.
        if (command is not CancelCopy && intents.Durable.All(action => action.Id != command.Action))
            violations.Add($"no durable intent: {command}");
        var layout = cluster.Layout;
        var live = cluster.ObserveAsync(false, default).AsTask().GetAwaiter().GetResult().Servers.Where(server => server.Phase == ServerPhase.Live).Select(server => server.Id).ToHashSet();
        switch (command)
        {
            case DropReplicas drop:
                foreach (var bin in drop.Bins.Where(bin => layout.Holds(bin, drop.Server)))
                {
                    if (Whole(bin, drop.Server) < 1)
                        violations.Add($"the last replica of bin {bin} would go: {command}");
                    else if (Whole(bin, drop.Server) < 2 && intents.Durable.FirstOrDefault(action => action.Id == drop.Action)?.Kind == ActionKind.Move && WasEnough(bin))
                        violations.Add($"bin {bin} would have one replica: {command}");
                }

                break;
            case ReleaseServer release when Enumerable.Range(0, layout.Bins).Any(bin => layout.Holds(bin, release.Server)):
                violations.Add($"a server with bins would go: {command}");
                break;
            case CopyBins copy:
                var targets = cluster.ObserveAsync(false, default).AsTask().GetAwaiter().GetResult().Copies.Select(running => running.To).Append(copy.To).ToHashSet();
                for (var bin = 0; bin < layout.Bins; bin++)
                {
                    var replicas = layout.Replicas(bin).ToArray();
                    // A bin with a single live replica has no other replica that could stay free of copies. Only a repair may copy such a bin.
                    if (replicas.Count(live.Contains) == 1 && IsRepair(copy.Action))
                        continue;
                    if (replicas.Contains(copy.To) && !replicas.Any(server => live.Contains(server) && !targets.Contains(server)))
                        violations.Add($"all replicas of bin {bin} would be under copy: {command}");
                }

                break;
        }

        int Whole(int bin, int except) => layout.Replicas(bin).ToArray().Count(server => server != except && live.Contains(server));
        bool IsRepair(long id) => intents.Durable.Any(action => action.Id == id && action.Reason.Rule == Rule.Repair);
        bool WasEnough(int bin) => layout.Replicas(bin).ToArray().Count(live.Contains) >= 2;
    }

    private sealed class Connection(FaultyCluster faulty) : IElasticCluster
    {
        public ValueTask<long> ClaimAsync(CancellationToken cancellationToken) => ValueTask.FromResult(faulty.Claim());

        public ValueTask<ClusterObservation> ObserveAsync(bool withReports, CancellationToken cancellationToken) => ValueTask.FromResult(faulty.Observe(withReports));

        public ValueTask<CommandOutcome> SendAsync(ClusterCommand command, long epoch, CancellationToken cancellationToken) =>
            ValueTask.FromResult(faulty.Send(command, epoch));
    }
}
