using Stout.Director.Loads;

namespace Stout.Director.Tests.Loads;

public sealed class SmoothingForecasterTests
{
    [Fact]
    public void Rises_count_with_one_weight_and_falls_with_another()
    {
        var forecaster = new SmoothingForecaster(Some.Settings(1, DirectorPolicy.Paper()));
        forecaster.Update(TimeSpan.Zero, [new(100, 10)], _ => true);
        Assert.Equal(190, forecaster.Update(TimeSpan.Zero, [new(200, 10)], _ => true).Next[0].Gets, 1e-9);
        Assert.Equal(181, forecaster.Update(TimeSpan.Zero, [new(100, 10)], _ => true).Next[0].Gets, 1e-9);
    }
}
