using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>How many requests in flight a load can need.</summary>
public sealed class LightLoadTests
{
    [Theory]
    [InlineData(1, 100, 1.08)]
    [InlineData(10, 10, 9)]
    [InlineData(10, 1, 81)]
    public void One_and_eight_times_what_is_under_way_in_the_mean(double idle, double departures, double expected)
        => Assert.Equal(expected, LightLoad.MostInFlight(idle, departures), 1e-9);

    [Fact]
    public void Nothing_is_bound_while_nothing_is_known() => Assert.Equal(double.PositiveInfinity, LightLoad.MostInFlight(10, 0));
}
