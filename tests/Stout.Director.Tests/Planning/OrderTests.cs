using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;

namespace Stout.Director.Tests.Planning;

/// <summary>An operator's orders for single servers.</summary>
public sealed class OrderTests
{
    private static readonly DirectorPolicy OneReplica = Some.Plain with { LeastReplicas = 1, ReadFanOut = 1 };

    [Fact]
    public void A_drained_server_gives_all_bins_away_and_is_then_released()
    {
        var moves = Plan(ServerOrder.Drain, [[1], [1], [2]], [300, 200, 100]).Actions;
        Assert.Equal([0, 1], moves.Where(action => action is { Kind: ActionKind.Move, From: 1, To: 2, Reason.Rule: Rule.Order }).SelectMany(action => action.Bins).Order());
        Assert.Equal(ActionKind.Release, Assert.Single(Plan(ServerOrder.Drain, [[2]], [300]).Actions).Kind);
    }

    [Fact]
    public void Without_room_a_drained_server_is_replaced_first()
    {
        var action = Assert.Single(Plan(ServerOrder.Drain, [[1], [2]], [700, 700]).Actions);
        Assert.Equal((ActionKind.Lease, Rule.Shortage), (action.Kind, action.Reason.Rule));
        Assert.Contains("to be drained", action.Reason.Predicate, StringComparison.Ordinal);
    }

    [Fact]
    public void A_cordoned_server_gets_no_bins_and_keeps_its_own()
    {
        // Server 2 is overloaded, and server 1 would have room.
        var actions = Plan(ServerOrder.Cordon, [[1], [2], [2]], [10, 700, 600]).Actions;
        Assert.Equal(ActionKind.Lease, Assert.Single(actions).Kind);
        Assert.DoesNotContain(Plan(ServerOrder.Cordon, [[1], [2]], [10, 100], leaseMinutes: 59.5).Actions, action => action.From == 1);
    }

    [Fact]
    public void A_pinned_server_is_neither_emptied_nor_released()
    {
        Assert.Contains(Plan(ServerOrder.None, [[1], [2]], [10, 100], leaseMinutes: 59.5).Actions, action => action.From == 1);
        Assert.DoesNotContain(Plan(ServerOrder.Pin, [[1], [2]], [10, 100], leaseMinutes: 59.5).Actions, action => action.From == 1);
        Assert.DoesNotContain(Plan(ServerOrder.Pin, [[2]], [100], leaseMinutes: 59.5).Actions, action => action.From == 1);
    }

    private static Decision Plan(ServerOrder order, int[][] replicas, double[] gets, double leaseMinutes = 10)
    {
        var cluster = Some.Cluster(2, replicas, gets, fanOut: 1, leaseMinutes: leaseMinutes) with { Orders = new Dictionary<int, ServerOrder> { [1] = order } };
        return Some.Core(replicas.Length, OneReplica).Plan(TimeSpan.FromSeconds(20), cluster);
    }
}
