using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>What tells an outage, in which everything is refused, from a cap on the rate.</summary>
public sealed class RefusalBackOffTests
{
    private readonly RefusalBackOff _refusals = new(mostMilliseconds: 4_000);
    private double _now = 1_000;

    [Theory]
    [InlineData(13, 1_000, true)]
    [InlineData(5, 250, true)]
    [InlineData(4, 1_000, false)] // a cap, that batches had to be halved four times for
    [InlineData(5, 249, false)]
    public void Where_nothing_was_answered_for_a_while_it_counts_as_one_refusal(int rounds, double apart, bool isOutage)
    {
        for (var round = 0; round < rounds; round++)
            Refuse(Math.Max(1, 64 >> round), apart);
        Assert.Equal(Math.Max(1, 64 >> rounds), _refusals.MaxBatchKeys);
        Assert.Equal(10 * Math.Pow(1.2, rounds), _refusals.Interval, 9);

        _refusals.Answered(_now);

        Assert.Equal(isOutage ? int.MaxValue : 64 >> rounds, _refusals.MaxBatchKeys);
        Assert.Equal((isOutage ? 12 : 10 * Math.Pow(1.2, rounds)) * 4095 / 4096, _refusals.Interval, 9);
    }

    [Fact]
    public void Not_where_something_was_answered_in_between()
    {
        for (var round = 0; round < 10; round++)
        {
            Refuse(keys: 64 >> round, apart: 1_000);
            if (round % 4 == 3)
                _refusals.Answered(_now);
        }

        _refusals.Answered(_now);

        Assert.Equal(1, _refusals.MaxBatchKeys);
    }

    // Else a cap of ten keys would be asked for a thousand as often as it lets ten through.
    [Fact]
    public void Each_time_half_of_what_was_refused_first_comes_back_until_few_halvings_are_enough()
    {
        foreach (var most in new[] { int.MaxValue, 512, 256 })
        {
            var keys = Math.Min(1_024, _refusals.MaxBatchKeys);
            for (var round = 0; round < 8; round++)
                Refuse(Math.Max(1, keys >> round), apart: 500);
            _refusals.Answered(_now);
            Assert.InRange(_refusals.MaxBatchKeys, most * 0.99, most);
        }
    }

    private void Refuse(int keys, double apart)
    {
        _now += apart;
        var request = LawDriver.Request(0, latency: 1, interval: 3, answeredAt: _now, outcome: StoreRequestOutcome.Overloaded) with { Operations = keys };
        _refusals.Refused(request, interval: 10);
    }
}
