using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>The way down from a long interval.</summary>
public sealed class DescentTests
{
    private static readonly double _half = -Math.Log(2);

    private Descent _descent = new();
    private double _now;

    [Fact]
    public void Two_answers_without_a_queue_halve_the_interval()
        => Assert.Equal([0, _half, 0, _half], Steps(false, false, false, false));

    [Fact]
    public void Two_with_one_end_it()
    {
        Assert.Equal([0, 0], Steps(true, true));
        Assert.False(_descent.IsUnderWay);
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Where_they_differ_a_third_decides(bool first, bool second)
    {
        Assert.Equal([0, 0, _half], Steps(first, second, false));
        Assert.Equal([0, 0, 0], Steps(first, second, true));
        Assert.False(_descent.IsUnderWay);
    }

    [Fact]
    public void What_was_sent_before_the_last_step_says_nothing_of_it()
    {
        Steps(false, false);
        for (var i = 0; i < 10; i++)
            Assert.Equal(0, _descent.Step(now: 100 + i, sentAt: _now - 1, delay: i % 2 == 0 ? 9 : 1, target: 5));

        Assert.True(_descent.IsUnderWay);
        Assert.Equal([0, _half], Steps(false, false));
    }

    [Fact]
    public void It_ends_at_the_shortest_interval()
    {
        _descent.Reached(bottom: false);
        Assert.True(_descent.IsUnderWay);

        _descent.Reached(bottom: true);
        Assert.False(_descent.IsUnderWay);
    }

    // Each answer is to a request that was sent after the one before it was answered.
    private List<double> Steps(params bool[] withQueue) => [.. withQueue.Select(queue =>
    {
        _now += 10;
        return _descent.Step(_now, sentAt: _now - 9, delay: queue ? 5.1 : 5, target: 5);
    })];
}
