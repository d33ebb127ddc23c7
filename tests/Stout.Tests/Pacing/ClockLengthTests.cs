using Stout.Pacing;

namespace Stout.Tests.Pacing;

public sealed class ClockLengthTests
{
    [Theory]
    [InlineData(64, 96, 64)]
    [InlineData(64, 97, 128)]
    [InlineData(64, 43, 64)]
    [InlineData(64, 42, 32)]
    [InlineData(64, 0.3, 0.25)]
    [InlineData(64, 700, 512)]
    public void It_stays_while_it_is_nearly_right_and_is_a_power_of_two(double length, double wanted, double expected)
        => Assert.Equal(expected, ClockLength.Fit(length, wanted));
}
