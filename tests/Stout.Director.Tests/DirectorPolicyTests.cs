using Stout.Director.Models;

namespace Stout.Director.Tests;

public sealed class DirectorPolicyTests
{
    private static readonly DirectorPolicy Default = DirectorPolicy.Default;

    public static TheoryData<string, DirectorPolicy> OutOfRange => new()
    {
        { "Period", Default with { Period = TimeSpan.Zero } },
        { "AlphaUp", Default with { AlphaUp = 0 } },
        { "AlphaUp", Default with { AlphaUp = 1.1 } },
        { "AlphaDown", Default with { AlphaDown = double.NaN } },
        { "Overprovisioning", Default with { Overprovisioning = -0.1 } },
        { "FillLimit", Default with { FillLimit = 1.2 } },
        { "Standbys", Default with { Standbys = -1 } },
        { "Surge", Default with { Surge = double.PositiveInfinity } },
        { "BootTime", Default with { BootTime = TimeSpan.FromSeconds(-1) } },
        { "ChargeInterval", Default with { ChargeInterval = TimeSpan.Zero } },
        { "CopyRate", Default with { CopyRate = 0 } },
        { "LongestAction", Default with { LongestAction = TimeSpan.Zero } },
        { "CancelAfter", Default with { CancelAfter = TimeSpan.Zero } },
        { "SilentAfter", Default with { SilentAfter = 0 } },
        { "LeastReplicas", Default with { LeastReplicas = 0 } },
        { "ReadFanOut", Default with { ReadFanOut = 3 } },
        { "LeastServers", Default with { LeastServers = 0 } },
        { "MostServers", Default with { LeastServers = 5, MostServers = 4 } },
        { "SurgeMemory", Default with { SurgeMemory = TimeSpan.Zero } },
        { "Dwell", Default with { Dwell = TimeSpan.FromSeconds(-1) } },
        { "MostLeases", Default with { MostLeases = 0 } },
        { "MostMoves", Default with { MostMoves = 0 } },
        { "MostLeasesPerHour", Default with { MostLeasesPerHour = 0 } },
        { "MostCostPerHour", Default with { MostCostPerHour = double.NaN } },
        { "SlowBudget", Default with { SlowBudget = 2 } },
    };

    [Theory]
    [MemberData(nameof(OutOfRange), DisableDiscoveryEnumeration = true)]
    public void A_parameter_out_of_range_is_named_with_its_range(string name, DirectorPolicy policy)
    {
        var error = Assert.Throws<InvalidPolicyException>(policy.Check);
        Assert.StartsWith(name + " is ", error.Message, StringComparison.Ordinal);
        Assert.Contains("has to be", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Server_types_that_change_after_the_constructor_have_no_effect()
    {
        List<ServerType> types = [Some.Type];
        var core = new DirectorCore(new DirectorSettings(Some.Plain, types, Bins: 1));

        types.Clear();

        Assert.Equal([Some.Type], core.Settings.Types);
    }

    [Fact]
    public void The_policies_by_name_are_in_range()
    {
        Default.Check();
        DirectorPolicy.Paper().Check();
        DirectorPolicy.Paper(0.3).Check();
    }

    [Fact]
    public void The_papers_policy_has_its_parameters()
    {
        var paper = DirectorPolicy.Paper(0.3);
        Assert.Equal((20, 0.9, 0.1, 2, 0.3, 4e6), (paper.Period.TotalSeconds, paper.AlphaUp, paper.AlphaDown, paper.Standbys, paper.Overprovisioning, paper.CopyRate));
    }
}
