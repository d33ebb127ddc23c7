using Stout.Director.Actions;
using Stout.Director.Decisions;
using Stout.Director.Layouts;

namespace Stout.Director.Tests.Planning;

/// <summary>The replicas of a bin are never all in one zone while another zone has room.</summary>
public sealed class ZoneTests
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(20);

    [Fact]
    public void A_new_replica_goes_to_a_zone_without_one_although_another_server_fits_more_tightly()
    {
        // Server 2 is fuller than server 3, and in the zone of server 1.
        var repair = Assert.Single(Plan("aab", [[1], [2, 3], [2, 3]], [100, 300, 100]).Actions);
        Assert.Equal((ActionKind.Replicate, 3), (repair.Kind, repair.To));
    }

    [Fact]
    public void A_replica_that_moves_stays_out_of_the_zone_of_the_others()
    {
        // Server 1 is overloaded. Server 3 is fuller than server 4, and in the zone of server 2, which holds the other replica of every bin of server 1.
        var decision = Plan("abba", [[1, 2], [1, 2], [1, 2], [3, 4], [3]], [400, 350, 300, 10, 100]);
        var moves = decision.Actions.Where(action => action is { Kind: ActionKind.Move, From: 1 }).ToList();
        Assert.NotEmpty(moves);
        Assert.All(moves, move => Assert.Equal(4, move.To));
    }

    [Fact]
    public void Replicas_in_one_zone_are_spread_once_another_zone_has_room()
    {
        var move = Assert.Single(Plan("aab", [[1, 2]], [300]).Actions);
        Assert.Equal((ActionKind.Move, 3, Rule.Repair), (move.Kind, move.To, move.Reason.Rule));
        Assert.Empty(Plan("aa", [[1, 2]], [300]).Actions);
    }

    [Fact]
    public void A_surplus_replica_is_removed_from_the_zone_that_has_another_one()
    {
        // Server 3 has the fewest bins, and is the only one of zone b.
        var removed = Assert.Single(Plan("aab", [[1, 2, 3], [1, 2]], [300, 10]).Actions, action => action.Kind == ActionKind.Remove);
        Assert.NotEqual(3, removed.From);
    }

    private static Decision Plan(string zones, int[][] replicas, double[] gets)
    {
        var cluster = Some.Cluster(zones.Length, replicas, gets);
        cluster = cluster with { Servers = [.. cluster.Servers.Select((server, i) => server with { Zone = zones[i].ToString() })] };
        return Some.Core(replicas.Length, Some.Plain).Plan(Period, cluster);
    }
}
