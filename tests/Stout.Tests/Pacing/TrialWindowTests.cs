using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>How many requests a lane has under way in a trial: of 1, 2, 4 and 8 as many as callers wait less for than for half of them.</summary>
public sealed class TrialWindowTests
{
    private const int Many = 100;
    private const double Paced = 10;

    private TrialWindow _window = new(24);

    [Fact]
    public void It_begins_with_one()
    {
        Assert.Equal((1, 1), (_window.Size, _window.Proven));
    }

    [Theory]
    [InlineData(14.9, 2)]
    [InlineData(15, 1)] // half as long again as without a trial: the store is full
    public void It_doubles_while_requests_take_about_as_long_as_when_nobody_tries(double latency, int size)
    {
        Assert.True(Take(latency));

        Assert.Equal((size, 1), (_window.Size, _window.Proven));
    }

    [Fact]
    public void Not_where_twice_as_many_would_show_nothing()
    {
        Assert.True(Take(10, mayGrow: false));

        Assert.Equal((1, 1), (_window.Size, _window.Proven));
    }

    [Theory]
    [InlineData(11.9, true, 4, 2)] // 10 for the answer and 5 before it with one; with two 12 and 3
    [InlineData(12, true, 4, 2)]
    [InlineData(12.1, false, 1, 1)]
    public void Two_count_where_callers_wait_no_longer(double latency, bool counts, int size, int proven)
    {
        Take(10);

        Assert.Equal(counts, Take(latency));
        Assert.Equal((size, proven), (_window.Size, _window.Proven));
    }

    [Theory]
    [InlineData(11.1, true, 8, 4)] // 10 and 2.5 with two; with four 11.1 and 1.4
    [InlineData(11.2, false, 2, 2)]
    public void The_more_there_are_the_less_may_they_take_longer(double latency, bool counts, int size, int proven)
    {
        Take(10);
        Take(10);

        Assert.Equal(counts, Take(latency));
        Assert.Equal((size, proven), (_window.Size, _window.Proven));
    }

    [Fact]
    public void Where_twice_as_many_wait_longer_the_store_is_full()
    {
        Take(10);
        Assert.False(_window.IsFull);
        Take(20);
        Assert.True(_window.IsFull);

        // Until they don't.
        for (var i = 0; i < 7; i++)
        {
            Take(10);
            Assert.True(_window.IsFull);
        }

        Take(10);
        Assert.False(_window.IsFull);
    }

    [Fact]
    public void Few_answers_are_no_proof_of_that()
    {
        Take(10);
        Take(10, answers: 5);

        Assert.False(_window.IsFull);
    }

    [Fact]
    public void They_are_compared_with_half_as_many_and_not_with_none()
    {
        Take(5);

        Assert.False(Take(7));
        Assert.Equal(1, _window.Size);
    }

    [Fact]
    public void Eight_are_enough()
    {
        for (var i = 0; i < 10; i++)
            Assert.True(Take(10));

        Assert.Equal((8, 8), (_window.Size, _window.Proven));
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 2)]
    [InlineData(3, 3)]
    public void And_as_many_as_the_law_may_have_under_way(int most, int size)
    {
        _window = new TrialWindow(most);
        for (var i = 0; i < 10; i++)
            Take(10);

        Assert.Equal((size, size), (_window.Size, _window.Proven));
    }

    [Theory]
    [InlineData(2, 1)]
    [InlineData(3, 2)]
    public void Few_answers_are_no_reason_for_more(int answers, int size)
    {
        Assert.True(Take(10, answers));

        Assert.Equal(size, _window.Size);
    }

    [Theory]
    [InlineData(5, false, 1)]
    [InlineData(6, true, 4)]
    public void Of_several_under_way_the_first_rounds_do_not_count(int answers, bool counts, int size)
    {
        Take(10);

        Assert.Equal(counts, Take(10, answers));
        Assert.Equal(size, _window.Size);
    }

    [Fact]
    public void Few_answers_of_one_at_a_time_count()
    {
        Assert.True(Take(10, answers: 2));
    }

    [Fact]
    public void What_failed_waits_for_six_trials_that_count()
    {
        Take(10);
        Take(20);
        for (var i = 0; i < 6; i++)
        {
            Assert.Equal(1, _window.Size);
            Assert.True(Take(10));
        }

        Assert.Equal(1, _window.Size);
        Take(10);
        Assert.Equal(2, _window.Size);
    }

    [Theory]
    [InlineData(20, true, 2)]
    [InlineData(20.1, false, 1)]
    public void Where_a_proven_number_takes_twice_as_long_as_when_nobody_tries_it_is_halved(double latency, bool counts, int size)
    {
        _window = new TrialWindow(2); // no more than two, however well they do
        Take(10);
        Take(11.9);

        Assert.Equal(counts, Take(latency));
        Assert.Equal(size, _window.Size);
        Assert.Equal(2, _window.Proven);
        Assert.True(Take(10));
        Assert.Equal(size, _window.Proven);
    }

    private bool Take(double latency, int answers = Many, bool mayGrow = true) => _window.Take(latency, Paced, answers, mayGrow);
}
