using FsCheck;
using FsCheck.Fluent;
using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>When a lane is to send as soon as it is answered: where a longer interval would gather more keys than are worth waiting for, before a full store.</summary>
public sealed class FullRequestsTests
{
    private const int Full = 100;
    private const double Known = 6_000;
    private const int Bound = 24;

    [Theory]
    [InlineData(59, false)]
    [InlineData(61, true)]
    public void Six_tenths_of_a_full_request_and_more_are_enough(int keys, bool areUsual)
        => Assert.Equal(areUsual, Requests(keys).AreUsual);

    [Theory]
    [InlineData(31, true)]
    [InlineData(29, false)]
    public void And_three_tenths_from_then_on(int keys, bool areUsual)
    {
        var requests = Requests(Full);

        Add(ref requests, keys);

        Assert.Equal(areUsual, requests.AreUsual);
    }

    [Theory]
    [InlineData(1, 4_000)]
    [InlineData(2, 6_000)]
    public void Not_while_the_store_is_hardly_known(int mostInFlight, double needed)
    {
        Assert.False(Requests(Full, knownFor: needed - 1, mostInFlight).AreUsual);
        Assert.True(Requests(Full, needed, mostInFlight).AreUsual);
    }

    [Fact]
    public void Nor_where_it_has_room() => Assert.False(Requests(Full, mostInFlight: double.PositiveInfinity).AreUsual);

    [Fact]
    public void Nor_for_one_large_request()
    {
        var requests = Requests(keys: 20);

        requests.Add(1_000_000, 40, Full, Known, mostInFlight: 1, Bound);

        Assert.False(requests.AreUsual);
    }

    [Theory]
    [InlineData(1, 1, 0)]
    [InlineData(2, 2, 14)] // seven tenths of the time between two that are evenly apart
    [InlineData(4, 4, 7)]
    [InlineData(100, Bound, 0.7 * 40 / Bound)]
    public void Several_in_flight_leave_apart(double most, int inFlight, double interval)
    {
        var requests = Requests(Full, mostInFlight: most);

        Assert.Equal(inFlight, requests.InFlight);
        Assert.Equal(interval, requests.LeastInterval, tolerance: 1e-6);
    }

    [Fact]
    public void Another_store_is_learned_first()
    {
        var requests = Requests(Full, mostInFlight: 3);

        requests.Forget();

        Assert.Equal((false, 1), (requests.AreUsual, requests.InFlight));
    }

    [Fact]
    public void However_many_are_of_use_between_one_and_the_bound_are_in_flight() => Prop
        .ForAll(Gen.Choose(0, 1_000).ToArbitrary(), Gen.Choose(1, 1_000).ToArbitrary(), Gen.Choose(0, 100).ToArbitrary(), (keys, latency, most) =>
        {
            var requests = Requests(Full);
            requests.Add(keys, latency, Full, Known, most, Bound);
            return requests.InFlight is >= 1 and <= Bound && requests.LeastInterval >= 0 && requests.LeastInterval * requests.InFlight <= 1_000;
        })
        .QuickCheckThrowOnFailure();

    private static FullRequests Requests(int keys, double knownFor = Known, double mostInFlight = 1)
    {
        var requests = new FullRequests();
        Add(ref requests, keys, knownFor, mostInFlight);
        return requests;
    }

    private static void Add(ref FullRequests requests, int keys, double knownFor = Known, double mostInFlight = 1)
    {
        for (var i = 0; i < 1_000; i++)
            requests.Add(keys, latency: 40, Full, knownFor, mostInFlight, Bound);
    }
}
