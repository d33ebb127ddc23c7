using Stout.Experiments.Model.Stores;

namespace Stout.Experiments.Tests.Model;

public sealed class FlushScheduleTests
{
    [Fact]
    public void A_request_starts_a_flush_of_its_own_or_shares_the_next_one()
    {
        var log = new FlushSchedule(TimeSpan.Zero, Ms(4), StoreSpeed.Usual);
        Assert.Equal(Ms(14), log.End(Ms(10), Ms(10)));
        Assert.Equal(Ms(18), log.End(Ms(11), Ms(11))); // The first flush has begun already.
        Assert.Equal(Ms(18), log.End(Ms(13), Ms(13)));
        Assert.Equal(Ms(34), log.End(Ms(30), Ms(30)));
    }

    [Fact]
    public void A_delayed_flush_takes_all_that_is_ready_when_it_begins()
    {
        var log = new FlushSchedule(Ms(8), Ms(2), StoreSpeed.Usual);
        Assert.Equal(Ms(10), log.End(Ms(0), Ms(0)));
        Assert.Equal(Ms(10), log.End(Ms(7), Ms(8)));
        Assert.Equal(Ms(20), log.End(Ms(9), Ms(9)));
    }

    [Fact]
    public void A_request_that_is_ready_long_before_a_later_one_does_not_wait_for_its_flush()
    {
        var log = new FlushSchedule(TimeSpan.Zero, Ms(4), StoreSpeed.Usual);
        Assert.Equal(Ms(54), log.End(Ms(0), Ms(50)));
        Assert.Equal(Ms(14), log.End(Ms(1), Ms(10)));
        Assert.Equal(Ms(54), log.End(Ms(2), Ms(48))); // A flush of its own would last until 52 ms.
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Noise_has_a_mean_of_1(int kind)
    {
        var random = new Random(1);
        var noise = kind switch
        {
            0 => ServiceNoise.Constant,
            1 => ServiceNoise.Uniform(0.3, random),
            2 => ServiceNoise.Lognormal(0.8, random),
            _ => ServiceNoise.Bimodal(0.1, 8, random),
        };
        Assert.InRange(Enumerable.Range(0, 200_000).Average(_ => noise()), 0.98, 1.02);
    }

    private static TimeSpan Ms(double milliseconds) => TimeSpan.FromMilliseconds(milliseconds);
}
