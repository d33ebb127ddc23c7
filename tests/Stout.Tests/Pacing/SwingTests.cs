using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>The common pattern of longer and shorter intervals.</summary>
public sealed class SwingTests
{
    private Swing _swing = new();

    [Fact]
    public void It_goes_up_down_down_up()
        => Assert.Equal([1, -1, -1, 1, 1, -1, -1, 1], Enumerable.Range(0, 8).Select(quarter => _swing.SignAt(512 * quarter)));

    [Theory]
    [InlineData(511.9, 1)]
    [InlineData(512, -1)]
    [InlineData(2e12, 1)]
    public void A_quarter_lasts_from_its_beginning_to_the_next(double time, int expected) => Assert.Equal(expected, _swing.SignAt(time));

    [Fact]
    public void Patterns_are_counted_from_the_beginning_of_time()
        => Assert.Equal([0, 0, 1, 1, 2], new[] { 0, 2047.9, 2048, 4095, 4096 }.Select(_swing.PatternAt));

    [Theory]
    [InlineData(512, false)]
    [InlineData(639.9, false)]
    [InlineData(640, true)]
    [InlineData(1023, true)]
    [InlineData(1024, false)]
    public void The_first_part_of_a_quarter_says_nothing_yet(double time, bool settled)
    {
        Assert.Equal(settled, _swing.IsSettledAt(time));
        Assert.Equal(384, _swing.Settled);
    }

    [Theory]
    [InlineData(0.5, 1)]
    [InlineData(128, 1)]
    [InlineData(256, 0.5)]
    [InlineData(400, 0.32)]
    public void The_longer_an_interval_is_than_the_longest_pattern_tells_the_less_of_a_swing_is_of_use(double interval, double share)
        => Assert.Equal(share, Swing.ShareOfUse(interval), 9);

    [Theory]
    [InlineData(1, 16)]
    [InlineData(5, 64)] // 80: nearer to 64 than to 128 by its factor
    [InlineData(7, 128)]
    [InlineData(22, 512)] // 352 is near enough
    [InlineData(48, 512)] // and so is 768
    [InlineData(49, 1024)]
    [InlineData(100, 2048)]
    [InlineData(60_000, 2048)]
    public void Quarters_have_the_length_of_some_sixteen_steps(double step, double expected)
    {
        _swing.Fit(step);

        Assert.Equal(expected, _swing.Quarter);
    }
}
