using Stout.Pacing;

namespace Stout.Tests.Pacing;

public sealed class EwmaTests
{
    [Fact]
    public void It_starts_with_its_first_sample()
    {
        var average = new Ewma(1.0 / 16);
        average.Add(80);

        Assert.Equal(80, average.Value);
    }

    [Fact]
    public void Each_further_sample_moves_it_by_the_factor()
    {
        var average = new Ewma(1.0 / 16);
        average.Add(80);
        average.Add(160); // 80 + 80 / 16
        Assert.Equal(85, average.Value);

        average.Add(5); // 85 - 80 / 16
        Assert.Equal(80, average.Value);
    }

    [Fact]
    public void After_a_reset_it_starts_anew()
    {
        var average = new Ewma(1.0 / 16);
        average.Add(80);
        average.Reset();
        average.Add(10);

        Assert.Equal(10, average.Value);
    }
}
