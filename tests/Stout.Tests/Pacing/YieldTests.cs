using Stout.Pacing;

namespace Stout.Tests.Pacing;

/// <summary>How much later a lane sends because its last request had to wait, and what comes of it where all lanes do so.</summary>
public sealed class YieldTests
{
    [Fact]
    public void Before_an_answer_nothing_is_to_leave_later()
        => Assert.Equal((0, 0), (new Yield().Next, new Yield().Last));

    [Theory]
    [InlineData(4, 2)]
    [InlineData(25, 12.5)]
    [InlineData(26, 12.5)] // a quarter of the interval counts at most
    [InlineData(-1, 0)] // quicker than was thought possible
    public void It_is_half_of_what_the_last_request_waited(double wait, double later)
    {
        var yield = new Yield();

        yield.Waited(wait, interval: 100);

        Assert.Equal((later, 0), (yield.Next, yield.Last));
    }

    [Fact]
    public void It_holds_for_one_batch()
    {
        var yield = new Yield();
        yield.Waited(4, interval: 100);

        yield.Depart();
        Assert.Equal((0, 2), (yield.Next, yield.Last));
        yield.Depart();
        Assert.Equal((0, 0), (yield.Next, yield.Last));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Lanes_that_meet_before_one_server_come_apart_by_it(bool yields)
    {
        var waits = LastWaits(new Random(7), yields, service: 3, interval: 100, lanes: 32); // 96 % of its time

        Assert.Equal(yields, waits.Max() < 1);
    }

    private static List<double> LastWaits(Random random, bool yields, double service, double interval, int lanes)
    {
        var waits = new Dictionary<Sender, double>();
        Rounds([.. Enumerable.Range(0, lanes).Select(_ => new Sender(random.NextDouble() * interval, interval, yields))], service, (sender, wait) => waits[sender] = wait);
        return [.. waits.Values];
    }

    // First come, first served.
    private static void Rounds(List<Sender> senders, double service, Action<Sender, double> served)
    {
        var free = 0.0;
        for (var i = 0; i < 100 * senders.Count; i++)
        {
            var next = senders.MinBy(static sender => sender.DueAt)!;
            var wait = Math.Max(0, free - next.DueAt);
            free = next.DueAt + wait + service;
            next.Send(wait);
            served(next, wait);
        }
    }

    private sealed class Sender(double dueAt, double interval, bool yields)
    {
        private Yield _yield;

        public double DueAt { get; private set; } = dueAt;

        public void Send(double wait)
        {
            _yield.Depart();
            if (yields)
                _yield.Waited(wait, interval);
            DueAt += interval + _yield.Next;
        }
    }
}
