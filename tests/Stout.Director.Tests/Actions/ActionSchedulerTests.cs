using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;

namespace Stout.Director.Tests.Actions;

public sealed class ActionSchedulerTests
{
    private static readonly Reason Why = new(Rule.Overload, "test", [], []);

    private readonly ActionScheduler _scheduler = new(Some.Plain);
    private readonly List<EndedAction> _ended = [];

    [Fact]
    public void Copies_run_side_by_side_unless_a_bin_would_have_all_its_replicas_under_copy()
    {
        // Bins 0 and 1 have replicas on servers 1 and 2, bins 2 and 3 on servers 3 and 4.
        int[][] replicas = [[1, 2], [1, 2], [3, 4], [3, 4]];
        var commands = Run(replicas, 4, Replicate(1, 2, 3, 1), Replicate(2, 3, 3, 2), Replicate(3, 0, 1, 3));
        // Servers 1 and 2 must not be targets at the same time, since they have all replicas of bins 0 and 1. Servers 1 and 3 may be.
        Assert.Equal([1, 3], commands.OfType<CopyBins>().Select(copy => copy.To));
    }

    [Fact]
    public void A_running_copy_blocks_what_it_would_make_unsafe()
    {
        int[][] replicas = [[1, 2], [3, 4]];
        var cluster = Some.Cluster(4, replicas, [1, 1]) with { Copies = [new RunningCopy(9, 3, 1, [1])] };
        Assert.Empty(Run(cluster, Replicate(1, 1, 3, 2)));
    }

    [Fact]
    public void The_source_drops_a_moved_bin_only_once_it_is_whole_at_the_target()
    {
        var move = Pending(new DirectorAction(1, ActionKind.Move, [0], 1, 3, "", Why));
        Assert.Equal(3, Assert.IsType<CopyBins>(Assert.Single(Run([[1, 2]], 3, move))).To);
        Assert.Equal(1, Assert.IsType<DropReplicas>(Assert.Single(Run([[1, 2, 3]], 3, move))).Server);
        Assert.Empty(Run([[2, 3]], 3, move));
        Assert.Equal(ActionEnd.Done, Assert.Single(_ended).End);
    }

    [Fact]
    public void A_server_that_holds_or_receives_a_bin_is_not_released()
    {
        var release = Pending(new DirectorAction(1, ActionKind.Release, [], 2, -1, "", Why));
        Assert.Empty(Run([[1, 2]], 2, release));
        Assert.Equal(ActionEnd.Overtaken, Assert.Single(_ended).End);
        var receiving = Some.Cluster(3, [[1, 3]], [1]) with { Copies = [new RunningCopy(9, 1, 2, [0])] };
        Assert.Empty(Run(receiving, release));
        Assert.IsType<ReleaseServer>(Assert.Single(Run([[1, 3]], 3, release)));
    }

    [Fact]
    public void A_removal_that_would_leave_too_few_replicas_is_given_up()
    {
        Assert.Empty(Run([[1, 2]], 2, Pending(new DirectorAction(1, ActionKind.Remove, [0], 1, -1, "", Why))));
        Assert.Equal(ActionEnd.Overtaken, Assert.Single(_ended).End);
    }

    [Fact]
    public void A_copy_that_takes_too_long_is_canceled()
    {
        var action = Replicate(1, 0, 1, 3);
        var running = Some.Cluster(3, [[1, 2]], [1]) with { Copies = [new RunningCopy(1, 1, 3, [0])] };
        Assert.Empty(Run(running, action));
        var late = _scheduler.Run(TimeSpan.FromMinutes(3), running, [action], _ended);
        Assert.IsType<CancelCopy>(Assert.Single(late));
        Assert.Equal(ActionEnd.TookTooLong, Assert.Single(_ended).End);
    }

    [Fact]
    public void An_action_whose_source_or_target_died_is_given_up()
    {
        Assert.Empty(Run([[1, 2]], 2, Replicate(1, 0, 1, 3)));
        Assert.Empty(Run([[2]], 3, Replicate(2, 0, 1, 3)));
        Assert.All(_ended, end => Assert.Equal(ActionEnd.Overtaken, end.End));
    }

    private List<ClusterCommand> Run(int[][] replicas, int servers, params PendingAction[] actions) =>
        Run(Some.Cluster(servers, replicas, new double[replicas.Length]), actions);

    private List<ClusterCommand> Run(ClusterObservation cluster, params PendingAction[] actions) => _scheduler.Run(TimeSpan.FromSeconds(1), cluster, actions, _ended);

    private static PendingAction Replicate(long id, int bin, int from, int to) => Pending(new DirectorAction(id, ActionKind.Replicate, [bin], from, to, "", Why));

    private static PendingAction Pending(DirectorAction action) => new(action, TimeSpan.Zero);
}
