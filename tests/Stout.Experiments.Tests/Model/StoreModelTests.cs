using FsCheck;
using FsCheck.Fluent;
using Stout.Experiments.Model.Stores;

namespace Stout.Experiments.Tests.Model;

public sealed class StoreModelTests
{
    [Fact]
    public void One_server_takes_one_after_the_other()
    {
        var store = new Servers(1, Exactly(10), StoreSpeed.Usual);
        Assert.Equal([10, 20, 40], Answers(store, 0, 0, 30));
    }

    [Fact]
    public void Several_servers_take_as_many_at_a_time()
    {
        var store = new Servers(2, Exactly(10), StoreSpeed.Usual);
        Assert.Equal([10, 11, 20, 21], Answers(store, 0, 1, 2, 3));
    }

    [Fact]
    public void Runs_side_by_side_may_share_a_speed()
    {
        var shared = StoreSpeed.Hiccup(Ms(500), Ms(100));
        Parallel.For(0, 8, run =>
        {
            for (var i = 0; i < 100_000; i++)
            {
                var start = Ms((i * 7 + run) % 1_000);
                var end = shared.Finish(start, Ms(1));
                Assert.Equal(start >= Ms(500) && start < Ms(600) ? Ms(601) : start + Ms(1), end);
            }
        });
    }

    [Fact]
    public void Whoever_waits_during_a_flush_shares_the_next()
    {
        var store = new GroupCommit(Exactly(0), Ms(8), StoreSpeed.Usual);
        Assert.Equal([8, 16, 16, 24, 24, 108], Answers(store, 0, 1, 7, 9, 15.5, 100));
    }

    [Fact]
    public void What_comes_at_the_moment_a_flush_ends_waits_for_the_next_but_one()
    {
        var store = new GroupCommit(Exactly(0), Ms(8), StoreSpeed.Usual);
        Assert.Equal([8, 16, 24], Answers(store, 0, 4, 8));
    }

    [Fact]
    public void Whoever_comes_while_a_log_waits_for_company_shares_its_flush()
    {
        var store = new CommitDelay(Exactly(0), Ms(8), Ms(2), StoreSpeed.Usual);
        Assert.Equal([10, 10, 10, 20, 20, 110], Answers(store, 0, 1, 8, 9, 17, 100));
    }

    [Fact]
    public void Service_times_that_vary_are_in_the_mean_as_many_times_the_least_as_said()
    {
        var service = ServiceTime.Varying(1, 0.1, new Random(1));
        var times = Enumerable.Range(0, 100_000).Select(_ => service.Of(10).TotalMilliseconds).ToList();
        Assert.InRange(times.Min(), 2, 4);
        Assert.InRange(times.Average() / 2, 4.5, 5);
    }

    [Fact]
    public void A_store_carries_what_its_bottleneck_takes_time_for()
    {
        // In each 400 ms, each of 32 lanes sends a batch. The fixed cost of these 32 batches takes 17.504 ms of the bottleneck. The remaining time suffices
        // for 2,125 writes.
        var cost = StoreKinds.One.Bottleneck!;
        Assert.Equal(2_125, cost.MostWrites(32, 400) * 0.4, 0);
        var store = StoreKinds.One.Make(new Random(1), StoreSpeed.Usual, 32);
        var last = TimeSpan.Zero;
        for (var batch = 0; batch < 3_200; batch++)
            last = store.Take(TimeSpan.Zero, 2_125 / 32, 0).At;
        Assert.InRange(last.TotalSeconds, 0.97 * 40, 1.03 * 40);
    }

    [Fact]
    public void Operations_within_the_rate_are_taken_and_the_rest_is_refused_until_it_may_come()
    {
        var store = new RateCap(1_000, Exactly(5), StoreSpeed.Usual);
        Assert.Equal(new StoreAnswer(Ms(5)), store.Take(Ms(0), 1_000, 0));
        Assert.Equal(new StoreAnswer(Ms(0), Ms(10)), store.Take(Ms(0), 10, 0));
        Assert.Equal(new StoreAnswer(Ms(15)), store.Take(Ms(10), 10, 0));
    }

    [Fact]
    public void A_rate_cap_never_takes_more_than_its_rate_and_what_it_saved() => Prop.ForAll<byte[]>(static gaps =>
    {
        var store = new RateCap(1_000, Exactly(5), StoreSpeed.Usual);
        var (now, taken) = (TimeSpan.Zero, 0);
        foreach (var gap in gaps)
        {
            now += Ms(gap / 16.0);
            if (store.Take(now, gap, 0).RetryAfter is null)
                taken += gap;
        }

        return taken <= 1_000 + now.TotalSeconds * 1_000 + 1e-6;
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void A_log_is_compacted_after_so_many_operations()
    {
        var store = new CompactedLog(Exactly(1), 3, Ms(100), StoreSpeed.Usual);
        Assert.Equal([1, 2, 3, 104], Answers(store, 0, 0, 0, 4));
    }

    [Fact]
    public void Each_connection_serves_one_operation_after_the_other()
    {
        var store = new SerialConnections(2, Exactly(10), StoreSpeed.Usual);
        Assert.Equal(Ms(20), store.Take(Ms(0), 2, 0).At);
        Assert.Equal(Ms(11), store.Take(Ms(1), 1, 1).At);
        Assert.Equal(Ms(30), store.Take(Ms(2), 1, 0).At);
    }

    [Theory]
    [InlineData(0, 5, 5)]
    [InlineData(8, 5, 23)]
    [InlineData(15, 5, 25)]
    [InlineData(25, 10, 35)]
    [InlineData(39, 2, 50)]
    [InlineData(40, 2, 60)]
    public void Work_stands_still_in_a_pause_and_takes_longer_where_the_store_is_slow(double start, double work, double done)
    {
        // The store does not work from 10 to 20 ms, and is ten times slower from 40 ms on.
        var speed = new StoreSpeed(new SpeedChange(Ms(10), 0), new SpeedChange(Ms(20), 1), new SpeedChange(Ms(40), 0.1));
        Assert.Equal(Ms(done), speed.Finish(Ms(start), Ms(work)));
    }

    [Fact]
    public void Starts_may_come_in_any_order()
    {
        var speed = StoreSpeed.Hiccup(Ms(10), Ms(10));
        Assert.Equal(Ms(31), speed.Finish(Ms(30), Ms(1)));
        Assert.Equal(Ms(21), speed.Finish(Ms(9), Ms(2)));
    }

    [Fact]
    public void A_store_that_never_works_again_is_refused() =>
        Assert.Throws<ArgumentException>(() => new StoreSpeed(new SpeedChange(Ms(1), 0)));

    [Fact]
    public void Every_kind_of_store_answers_in_the_order_of_requests_on_one_connection() => Prop.ForAll<byte[]>(static gaps =>
        StoreKinds.All.Where(kind => kind.Name is not ("workers8" or "ratecap")).All(kind =>
        {
            var store = kind.Make(new Random(1), StoreSpeed.Usual, 1);
            var (now, last) = (TimeSpan.Zero, TimeSpan.Zero);
            foreach (var gap in gaps)
            {
                now += Ms(gap / 32.0);
                var answer = store.Take(now, 1 + (gap % 7), 0);
                if (answer.At < last || answer.At <= now)
                    return false;
                last = answer.At;
            }

            return true;
        })).QuickCheckThrowOnFailure();

    private static ServiceTime Exactly(double ms) => ServiceTime.Linear(ms, 0, 0, new Random(1));

    private static double[] Answers(IStoreModel store, params double[] arrivals) =>
        [.. arrivals.Select(at => store.Take(Ms(at), 1, 0).At.TotalMilliseconds)];

    private static TimeSpan Ms(double ms) => TimeSpan.FromMilliseconds(ms);
}
