using Stout.Director.Actions;
using Stout.Director.Simulation.Clusters;

namespace Stout.Director.Simulation.Baselines;

/// <summary>Moves bins for a baseline, with one copy at a time to each target. When the target has all of a moved bin, the source drops it.</summary>
internal sealed class BinMover(SimulatedCluster cluster, double copyRate)
{
    private readonly List<(long Action, int Bin, int From, int To, bool IsKept)> _moves = [];
    private long _epoch = -1;
    private long _action;

    public bool IsIdle => _moves.Count == 0;

    public bool IsMoving(int bin) => _moves.Exists(move => move.Bin == bin);

    public void Move(int bin, int from, int to) => _moves.Add((++_action, bin, from, to, false));

    /// <summary>Copies a bin; the source keeps it.</summary>
    public void Replicate(int bin, int from, int to) => _moves.Add((++_action, bin, from, to, true));

    public void Drop(int bin, int server) => Send(new DropReplicas(++_action, [bin], server));

    /// <summary>Whether an unfinished move has the server as its target.</summary>
    public bool Targets(int server) => _moves.Exists(move => move.To == server);

    public void Advance()
    {
        _moves.RemoveAll(move => !cluster.ById.ContainsKey(move.To) || (!cluster.Layout.Holds(move.Bin, move.From) && !cluster.Layout.Holds(move.Bin, move.To)));
        foreach (var move in _moves.Where(move => cluster.Layout.Holds(move.Bin, move.To)).ToList())
        {
            if (!move.IsKept)
                Send(new DropReplicas(move.Action, [move.Bin], move.From));
            _moves.Remove(move);
        }

        var busy = cluster.Copies.Select(copy => copy.To.Id).ToHashSet();
        foreach (var move in _moves)
        {
            if (busy.Add(move.To))
                Send(new CopyBins(move.Action, [move.Bin], move.From, move.To, copyRate));
        }
    }

    public void Lease(string type) => Send(new LeaseServer(++_action, type));

    public void Release(int server) => Send(new ReleaseServer(++_action, server));

    private void Send(ClusterCommand command)
    {
        if (_epoch < 0)
            _epoch = cluster.ClaimAsync(default).AsTask().GetAwaiter().GetResult();
        _ = cluster.SendAsync(command, _epoch, default).AsTask().GetAwaiter().GetResult();
    }
}
