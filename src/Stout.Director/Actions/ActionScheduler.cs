using Stout.Director.Decisions;
using Stout.Director.Layouts;

namespace Stout.Director.Actions;

/// <summary>
/// Turns unfinished actions into commands (the paper's §5.6). Copies run side by side as long as every bin keeps a replica on a server that no copy writes to.
/// Progress is read from the observed cluster alone, so it depends neither on answers to commands nor on the Director that sent them.
/// </summary>
internal sealed class ActionScheduler(DirectorPolicy policy)
{
    // The time for a copy is twice the time of its bytes at the policy's rate, beside `CancelAfter`. It doubles with each cancellation of a bin's copy, up to
    // this number of times. So an action that can't succeed in its time is never repeated unchanged.
    private const double UsualFactor = 2;
    private const int MostDoublings = 10;

    // The largest number of copies at a time from one source. Copies hardly slow the source's processor (the paper's §5.6); the limit keeps its network
    // free.
    private const int CopiesPerSource = 2;

    private readonly ServerBins _bins = new();
    private readonly HashSet<int> _targets = [];
    private readonly HashSet<(int Bin, int Server)> _dropped = [];
    private readonly Dictionary<int, int> _sources = [];
    private readonly Dictionary<long, RunningCopy> _running = [];
    private readonly Dictionary<int, int> _cancels = [];
    private Dictionary<int, ServerState> _servers = [];
    private ClusterObservation _observation = null!;

    /// <summary>Returns the commands that are due, and adds the actions that have ended to <paramref name="ended"/>.</summary>
    /// <param name="now">The Director's time.</param>
    /// <param name="observation">The cluster.</param>
    /// <param name="pending">The unfinished actions, in the order of their plans.</param>
    /// <param name="ended">Receives the actions that are done, have become impossible, or took too long.</param>
    public List<ClusterCommand> Run(TimeSpan now, ClusterObservation observation, IReadOnlyList<PendingAction> pending, ICollection<EndedAction> ended)
    {
        var commands = new List<ClusterCommand>();
        if (pending.Count == 0)
            return commands;
        Look(observation);
        foreach (var action in pending)
        {
            if (Advance(action, now, commands) is { } end)
                ended.Add(new EndedAction(action, end));
        }

        return commands;
    }

    private void Look(ClusterObservation observation)
    {
        _observation = observation;
        _bins.Update(observation.Layout);
        _servers = observation.Servers.ToDictionary(server => server.Id);
        _targets.Clear();
        _dropped.Clear();
        _sources.Clear();
        _running.Clear();
        foreach (var copy in observation.Copies)
        {
            _running[copy.Action] = copy;
            Engage(copy.From, copy.To);
        }
    }

    private void Engage(int from, int to)
    {
        _targets.Add(to);
        _sources[from] = _sources.GetValueOrDefault(from) + 1;
    }

    // Adds the due commands of one action. Returns the way in which the action ended; null while it is unfinished.
    private ActionEnd? Advance(PendingAction pending, TimeSpan now, List<ClusterCommand> commands)
    {
        var action = pending.Action;
        switch (action.Kind)
        {
            case ActionKind.Lease:
                commands.Add(new LeaseServer(action.Id, action.Type));
                return null;
            case ActionKind.Release:
                return Release(action, commands);
            case ActionKind.Remove:
                return Drop(action, commands);
            case ActionKind.Recover:
                return Recover(action, commands);
            default:
                return Copy(pending, now, commands);
        }
    }

    private ActionEnd? Release(DirectorAction action, List<ClusterCommand> commands)
    {
        if (!_servers.ContainsKey(action.From))
            return ActionEnd.Done;
        // The release of a server that holds bins, or takes part in a copy, would lose bins. So the action ends, and a later plan may repeat it.
        if (_bins.Of(action.From).Count > 0 || _targets.Contains(action.From) || _sources.ContainsKey(action.From))
            return ActionEnd.Overtaken;
        commands.Add(new ReleaseServer(action.Id, action.From));
        return null;
    }

    private ActionEnd? Recover(DirectorAction action, List<ClusterCommand> commands)
    {
        if (!IsLive(action.To))
            return ActionEnd.Overtaken;
        var lost = action.Bins.Where(bin => Whole(bin, -1) == 0).ToList();
        if (lost.Count == 0)
            return ActionEnd.Done;
        commands.Add(new RecoverBins(action.Id, lost, action.To));
        return null;
    }

    private ActionEnd? Drop(DirectorAction action, List<ClusterCommand> commands)
    {
        var held = action.Bins.Where(bin => _observation.Layout.Holds(bin, action.From)).ToList();
        if (held.Count == 0 || !_servers.ContainsKey(action.From))
            return ActionEnd.Done;
        // Keeps the bins that would have too few replicas without this replica, for example because another server has died since the plan.
        held.RemoveAll(bin => Whole(bin, action.From) < policy.LeastReplicas);
        if (held.Count == 0)
            return ActionEnd.Overtaken;
        // If copies write to all other servers of one of the bins, no bin is dropped until such a copy ends.
        if (!held.Exists(bin => !KeepsQuietReplica(bin, action.From)))
        {
            commands.Add(new DropReplicas(action.Id, held, action.From));
            _dropped.UnionWith(held.Select(bin => (bin, action.From)));
        }

        return null;
    }

    private ActionEnd? Copy(PendingAction pending, TimeSpan now, List<ClusterCommand> commands)
    {
        var action = pending.Action;
        if (!IsLive(action.To))
            return ActionEnd.Overtaken;
        var missing = action.Bins.Where(bin => !_observation.Layout.Holds(bin, action.To)).ToList();
        if (missing.Count == 0)
        {
            foreach (var bin in action.Bins)
                _cancels.Remove(bin);
            return action.Kind == ActionKind.Move ? Drop(action, commands) : ActionEnd.Done;
        }

        if (now - (pending.Started ?? pending.Planned) > TimeFor(action))
        {
            foreach (var bin in missing)
                _cancels[bin] = Math.Min(MostDoublings, _cancels.GetValueOrDefault(bin) + 1);
            if (_running.ContainsKey(action.Id))
                commands.Add(new CancelCopy(action.Id));
            return ActionEnd.TookTooLong;
        }

        if (_running.ContainsKey(action.Id))
        {
            pending.Started ??= now;
            return null;
        }

        if (!IsLive(action.From) || missing.Exists(bin => !_observation.Layout.Holds(bin, action.From)))
            return ActionEnd.Overtaken;
        if (MayStart(action))
        {
            Engage(action.From, action.To);
            commands.Add(new CopyBins(action.Id, missing, action.From, action.To, policy.CopyRate));
        }

        return null;
    }

    private TimeSpan TimeFor(DirectorAction action)
    {
        var usual = policy.CancelAfter + TimeSpan.FromSeconds(UsualFactor * action.Bins.Sum(bin => (double)_observation.BinBytes[bin]) / policy.CopyRate);
        return usual * (1 << action.Bins.Max(bin => _cancels.GetValueOrDefault(bin)));
    }

    private bool MayStart(DirectorAction action)
    {
        if (_targets.Contains(action.To) || _sources.GetValueOrDefault(action.From) >= CopiesPerSource)
            return false;
        foreach (var bin in _bins.Of(action.To))
        {
            // Two servers that each hold the only replica of a bin could never copy these bins to each other. So a repair may copy to a server that holds
            // the only replica of a bin.
            var isException = action.Reason.Rule == Rule.Repair && Whole(bin, action.To) == 0;
            if (!isException && !KeepsQuietReplica(bin, action.To))
                return false;
        }

        return true;
    }

    // Whether a replica of the bin is on a live server, other than `except`, to which no copy writes.
    // If `LeastReplicas` is 1, bins with one or two replicas are exempt. Such a bin may have only the source and the target of its move.
    private bool KeepsQuietReplica(int bin, int except)
    {
        var replicas = _observation.Layout.Replicas(bin);
        if (policy.LeastReplicas == 1 && replicas.Length <= 2)
            return true;
        foreach (var server in replicas)
        {
            if (server != except && !_targets.Contains(server) && IsLive(server) && !_dropped.Contains((bin, server)))
                return true;
        }

        return false;
    }

    private int Whole(int bin, int except)
    {
        var whole = 0;
        foreach (var server in _observation.Layout.Replicas(bin))
        {
            if (server != except && IsLive(server) && !_dropped.Contains((bin, server)))
                whole++;
        }

        return whole;
    }

    private bool IsLive(int server) => _servers.TryGetValue(server, out var state) && state.Phase == ServerPhase.Live;
}
