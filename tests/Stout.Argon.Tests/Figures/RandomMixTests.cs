using Stout.Argon.Configuration;
using Stout.Experiments.Argon.Figures;

namespace Stout.Argon.Tests.Figures;

/// <summary>Mixes beyond the paper's: 2 to 8 services of different weights, reading and writing, at several R.</summary>
public sealed class RandomMixTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public void Insulated_services_keep_R(int seed)
    {
        var mix = RandomMix.Of(seed);
        var rows = mix.Insulated();
        Assert.Contains(rows, row => row.Together.Status == ServiceStatus.Insulated);
        for (var i = 0; i < rows.Count; i++)
        {
            if (rows[i].Together.Status == ServiceStatus.Insulated)
                Assert.True(rows[i].Fraction >= (mix.Server.Settings.Insulation - 0.05) * mix.Share(i), $"{mix.Title}: {rows[i].Together.Name} keeps {rows[i].Fraction / mix.Share(i)}");
        }
    }
}
