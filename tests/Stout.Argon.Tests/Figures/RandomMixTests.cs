using Stout.Argon.Experiments.Figures;

namespace Stout.Argon.Tests.Figures;

/// <summary>
/// Mixes beyond the paper's: 2 to 8 services of different weights that read and write, at several values of R (<c>ArgonOptions.Insulation</c>), on all
/// device models.
/// </summary>
public sealed class RandomMixTests
{
    [Fact]
    public void Insulated_services_of_eight_mixes_keep_R()
    {
        var tally = new MixTally();
        var missed = Enumerable.Range(1_000, 8).SelectMany(seed => tally.Add(RandomMix.Of(seed, length: 0.03))).ToList();
        Assert.True(tally.Insulated > 25, $"{tally.Insulated} insulated, {tally.Trials} in a trial");
        Assert.True(tally.Missed == 0 && tally.Kept >= 0.99 * tally.Insulated, $"{tally.Kept} of {tally.Insulated} kept R - 0.02: {string.Join("; ", missed)}");
    }
}
