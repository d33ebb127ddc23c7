using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>How far a queue is from the one aimed at.</summary>
public sealed class ExcessTests
{
    [Theory]
    [InlineData(0, -0.5)]
    [InlineData(2, -0.25)]
    [InlineData(4, 0)]
    [InlineData(6, 0.25)]
    [InlineData(12, 1)] // three times
    [InlineData(1e9, 1)]
    public void It_is_half_of_what_is_too_much_and_at_most_1(double queue, double expected) => Assert.Equal(expected, Excess.Of(queue, target: 4), 9);
}
