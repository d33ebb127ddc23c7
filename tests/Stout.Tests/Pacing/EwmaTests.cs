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
    public void Of_a_bounded_sample_no_more_counts_than_a_multiple_of_the_average()
    {
        var average = new Ewma(1.0 / 4);
        Assert.Equal(80, average.AddBounded(80, mostOverAverage: 2)); // nothing to compare it with
        Assert.Equal(160, average.AddBounded(10_000, mostOverAverage: 2));
        Assert.Equal(100, average.Value); // 80 + (160 - 80) / 4
        Assert.Equal(20, average.AddBounded(20, mostOverAverage: 2));
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
