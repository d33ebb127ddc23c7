namespace Stout.Tests.Pacing;

/// <summary>How many requests each lane has in flight in the next trial, by what the last one showed.</summary>
public sealed class CriticalIntervalInFlightTests : CriticalIntervalDriver
{
    [Fact]
    public void A_store_that_answers_two_each_as_quickly_as_one_is_tried_with_two_and_keeps_up_with_half_the_interval()
    {
        TryLong(Boundary, answers: 8);
        Assert.Equal((2, 1, 16), (Critical.Window, Critical.InFlight, Critical.Value));

        TryLong(Boundary + 4096, answers: 8);
        Assert.Equal((4, 2, 8), (Critical.Window, Critical.InFlight, Critical.Value)); // not the longer one of two: one each said nothing
    }

    [Fact]
    public void One_that_takes_longer_for_two_keeps_the_critical_interval_that_one_showed()
    {
        TryLong(Boundary, answers: 8);
        TryLong(Boundary + 4096, answers: 8, latency: 32);

        Assert.Equal((1, 1, 16), (Critical.Window, Critical.InFlight, Critical.Value));
    }

    [Theory]
    [InlineData(7.9, 9.9, 2)]
    [InlineData(8.1, 9.9, 1)] // its batches had no time to become as large as what comes in
    [InlineData(8.1, 10.1, 2)] // but it has room
    public void One_full_of_mostly_keys_is_not_tried_with_two(double keyTime, double idle, int window)
    {
        TryLong(Boundary, answers: 8, latency: 20, idle, keyTime);

        Assert.Equal((window, 1), (Critical.Window, Critical.InFlight));
    }

    [Theory]
    [InlineData(0.29, 16, 2)]
    [InlineData(0.31, 16, 1)] // whatever the lane takes for idle
    [InlineData(0.31, 20.1, 2)] // the least they ever take is half of that, and they don't take twice as long
    public void Nor_is_one_whose_requests_are_full_and_wait_for_others(double fullness, double idle, int window)
    {
        TryLong(Boundary, answers: 8, latency: 20, idle, fullness: fullness);

        Assert.Equal((window, 1), (Critical.Window, Critical.InFlight));
    }

    [Fact]
    public void With_two_each_half_the_interval_is_long_enough_to_take_part()
    {
        TryLong(Boundary, answers: 8);

        Assert.False(BeginsAt(Boundary + 4096, interval: 4.7));
        Assert.True(BeginsAt(Boundary + 8192, interval: 4.9));
    }
}
