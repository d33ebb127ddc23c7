namespace Stout.Experiments.Tests.Experiments;

/// <summary>On the model each round has a different seed. A figure contains the lowest and the highest value of the rounds.</summary>
public sealed class SeedsTests
{
    [Theory]
    [InlineData("fig8", 0)]
    [InlineData("fig10", 0)]
    [InlineData("fairness", 1)]
    [InlineData("mixed", 0)]
    [InlineData("slow-partition", 0)]
    public async Task A_figure_of_several_seeds_lies_between_those_of_each(string experiment, int headline)
    {
        var one = (await BriefRun.OfAsync(experiment)).Result.Headlines[headline];
        Assert.Equal((null, null), (one.Low, one.High));

        var several = await BriefRun.OfAsync(experiment, seeds: 3);
        var three = several.Result.Headlines[headline];
        Assert.True(three.Low < three.Ours && three.Ours < three.High, $"{three.Ours} between {three.Low} and {three.High}");
        Assert.InRange(one.Ours!.Value, three.Low.Value, three.High.Value); // The single run has the first of the three seeds.
        Assert.Contains("--rounds 3", several.Arguments, StringComparison.Ordinal);
    }
}
