using FsCheck;
using FsCheck.Fluent;
using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>How many requests in flight are worth having: as many as are being served, where the store is full.</summary>
public sealed class FullStoreTests
{
    private const int Many = 1_000;

    [Theory]
    [InlineData(14, false)]
    [InlineData(16, true)]
    public void A_store_is_full_where_requests_take_half_as_long_again_as_on_the_idle_one(double latency, bool isFull)
    {
        var store = Store(latency, idle: 10, gap: 5);

        Assert.Equal(isFull, store.IsFull);
        Assert.Equal(isFull, !double.IsPositiveInfinity(store.MostInFlight(10)));
    }

    [Theory]
    [InlineData(100, 1)] // a tenth of one, and half the root of that
    [InlineData(20, 1)]
    [InlineData(16, 2)] // five eighths, and two fifths
    [InlineData(5, 3)] // two, and seven tenths
    [InlineData(1, 12)]
    public void As_many_are_of_use_as_are_served_at_a_time_and_half_the_root(double gap, int most)
        => Assert.Equal(most, Store(latency: 30, idle: 10, gap).MostInFlight(10));

    [Fact]
    public void One_pause_fills_no_store()
    {
        var store = Store(latency: 11, idle: 10, gap: 5);

        for (var i = 0; i < 5; i++)
            store.Add(latency: 10_000, idle: 10);

        Assert.False(store.IsFull);
    }

    [Fact]
    public void Nor_does_it_say_how_often_the_store_answers()
    {
        var store = Store(latency: 30, idle: 10, gap: 5);
        var before = store.MostInFlight(10);

        store.Answered((Many * 5) + 1_000_000);

        Assert.InRange(store.MostInFlight(10), before - 1, before);
    }

    [Fact]
    public void Another_store_is_not_known_to_be_full()
    {
        var store = Store(latency: 30, idle: 10, gap: 5);

        store.Forget();
        Assert.False(store.IsFull);

        store.Add(latency: 30, idle: 10);
        Assert.Equal(3, store.MostInFlight(10));
    }

    [Fact]
    public void Nothing_is_bounded_by_what_was_never_answered_or_all_at_once()
    {
        var store = new FullStore();
        store.Add(latency: 30, idle: 10);
        Assert.Equal(double.PositiveInfinity, store.MostInFlight(10));

        store.Answered(5);
        store.Answered(5);
        Assert.Equal(double.PositiveInfinity, store.MostInFlight(10));
    }

    // Workers that are never out of work: who has as many in flight as are of use keeps all of them at it.
    [Fact]
    public void It_is_never_fewer_than_there_are_workers_to_serve_them() => Prop
        .ForAll(Gen.Choose(1, 16).ToArbitrary(), Gen.Choose(1, 50).ToArbitrary(), (workers, service)
            => Store(latency: 3 * service, idle: service, gap: (double)service / workers).MostInFlight(service) >= workers)
        .QuickCheckThrowOnFailure();

    // Then as many answers come as there are requests under way: had the number only those, it would prove itself.
    [Fact]
    public void Where_all_that_are_in_flight_are_served_at_once_one_more_is_of_use() => Prop
        .ForAll(Gen.Choose(1, 24).ToArbitrary(), Gen.Choose(1, 50).ToArbitrary(), (inFlight, service)
            => Store(latency: 1.6 * service, idle: service, gap: (double)service / inFlight).MostInFlight(service) >= inFlight + 1)
        .QuickCheckThrowOnFailure();

    private static FullStore Store(double latency, double idle, double gap)
    {
        var store = new FullStore();
        for (var i = 0; i < Many; i++)
        {
            store.Answered(i * gap);
            store.Add(latency, idle);
        }

        return store;
    }
}
