using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>How far a queue is from the one aimed at.</summary>
public sealed class ExcessTests
{
    [Theory]
    [InlineData(4, 0)]
    [InlineData(6, 0.25)]
    [InlineData(12, 1)] // three times
    [InlineData(1e9, 1)]
    public void Above_the_target_it_is_half_of_what_is_too_much(double queue, double expected) => Assert.Equal(expected, Excess.Of(queue, target: 4, inFlight: 1), 9);

    [Theory]
    [InlineData(0.01, 1.25)]
    [InlineData(3.75, 1.25)]
    [InlineData(4.5, 1.5)]
    [InlineData(6, 2)]
    [InlineData(100, 2)]
    public void Below_it_counts_for_more_with_many_in_flight(double inFlight, double lean)
    {
        Assert.Equal(-0.5 * lean, Excess.Of(queue: 0, target: 4, inFlight), 9);
        Assert.Equal(-0.25 * lean, Excess.Of(queue: 2, target: 4, inFlight), 9);
    }
}
