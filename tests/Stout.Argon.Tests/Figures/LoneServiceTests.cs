using Stout.Argon.Experiments.Figures;

namespace Stout.Argon.Tests.Figures;

/// <summary>Insulation costs a service that runs alone at most 3 % of its throughput.</summary>
public sealed class LoneServiceTests
{
    public static TheoryData<string> Names => [.. LoneServices.All.Select(each => each.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public void A_lone_service_keeps_97_hundredths_of_what_it_has_without_insulation(string name) =>
        Assert.InRange(LoneServices.All.Single(each => each.Name == name).Ratio(), 0.97, 10);
}
