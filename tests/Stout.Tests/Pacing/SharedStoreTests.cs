namespace Stout.Tests.Pacing;

/// <summary>Whether others fill the store, so that no interval shorter than the critical one is of use.</summary>
public sealed class SharedStoreTests : CriticalIntervalDriver
{
    [Theory]
    [InlineData(33, 19, 40)]
    [InlineData(34, 19, 0)] // so long do its requests take when nobody tries
    [InlineData(33, 20, 0)] // and so long its own work
    public void None_that_is_shorter_where_others_hold_up_its_requests(double latency, double idle, double shortest)
    {
        TryBeside(Boundary, latency, idle);

        Assert.Equal(shortest, Critical.ShortestInterval);
        Assert.Equal(shortest > 0, Critical.IsShared);
    }

    [Fact]
    public void Or_where_its_batches_carry_hardly_a_key()
    {
        TryBeside(Boundary, latency: 10, idle: 5, keys: 2);
        Assert.Equal(40, Critical.ShortestInterval);

        for (var i = 0; i < 1000; i++)
            Add(Boundary + 1000 + i, latency: 10, idle: 5, passed: 40, keys: 1.6);
        Assert.Equal(0, Critical.ShortestInterval);
    }

    [Fact]
    public void Whether_others_do_shows_as_soon_as_requests_take_less_than_in_the_trial()
    {
        TryBeside(Boundary, latency: 40, idle: 5); // the store was still full of what had gathered
        Assert.Equal(0, Critical.ShortestInterval);

        for (var i = 0; i < 1000; i++)
            Add(Boundary + 1000 + i, latency: 25, idle: 5, passed: 40);
        Assert.Equal(40, Critical.ShortestInterval);
    }

    [Theory]
    [InlineData(32, 7.2, 16)] // twice as many only wait
    [InlineData(32, 7.3, 0)] // but what requests take is their own work
    [InlineData(19, 7.2, 0)] // they don't
    public void Or_where_twice_as_many_requests_only_wait(double latencyOfTwo, double lowest, double shortest)
    {
        TryTwo(latencyOfTwo, lowest);

        Assert.Equal(shortest, Critical.ShortestInterval);
    }

    [Theory]
    [InlineData(4.1, 40)]
    [InlineData(3.9, 0)]
    public void That_is_over_when_requests_take_less_than_two_fifths_of_what_they_did(double latency, double shortest)
    {
        TryBeside(Boundary, latency: 10, idle: 5);
        for (var i = 0; i < 400; i++)
            Add(Boundary + 1000 + i, latency, idle: 1, passed: 40);

        Assert.Equal(shortest, Critical.ShortestInterval);
    }

    [Theory]
    [InlineData(4, 3.9, 40)]
    [InlineData(5, 3.9, 0)]
    [InlineData(5, 4.1, 40)]
    public void Or_as_soon_as_all_of_the_last_five_did_where_few_answers_come(int answers, double latency, double shortest)
    {
        TryBeside(Boundary, latency: 10, idle: 5);
        for (var i = 0; i < answers; i++)
            Add(Boundary + 1000 + i, latency, idle: 1, passed: 40);

        Assert.Equal(shortest, Critical.ShortestInterval);
    }

    [Theory]
    [InlineData(17, 40)]
    [InlineData(15, 0)]
    public void Where_nothing_was_sent_before_the_trial_what_its_requests_took_counts_for_that(double latency, double shortest)
    {
        Critical.Forget();
        TryAt(Boundary, interval: 40, answers: 2, latency: 40, idle: 5, passed: 40);
        for (var i = 0; i < 5; i++)
            Add(Boundary + 1000 + i, latency, idle: 1, passed: 40);

        Assert.Equal(shortest, Critical.ShortestInterval);
    }

    [Fact]
    public void Nor_does_one_trial_of_the_quick_store_take_the_others_for_its_own()
    {
        TryBeside(Boundary, latency: 10, idle: 5);
        TryBeside(Boundary + 4096, latency: 10, idle: 5);
        Assert.Equal(40, Critical.ShortestInterval);

        Calm(Boundary + 8192);
        TryAt(Boundary + 8192, interval: 40, answers: 2, latency: 1, idle: 1, passed: 1);
        Calm(Boundary + 16_384);
        Assert.Equal(0, Critical.ShortestInterval);

        void Calm(double until)
        {
            for (var before = 400; before > 0; before--)
                Add(until - before, latency: 1, idle: 1, passed: 40);
        }
    }
}
