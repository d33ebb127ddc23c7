using Stout.Experiments.Live;

namespace Stout.Experiments.Tests.Live;

public sealed class AgendaTests
{
    private readonly Agenda _agenda = new();
    private readonly List<string> _done = [];

    [Fact]
    public void What_is_due_is_done_once_and_in_the_order_of_time()
    {
        _agenda.Add(Seconds(2), _ => _done.Add("second"));
        _agenda.Add(Seconds(1), _ => _done.Add("first"));
        _agenda.Add(Seconds(4), _ => _done.Add("third"));
        _agenda.Advance(Seconds(0.5));
        Assert.Empty(_done);
        _agenda.Advance(Seconds(3));
        _agenda.Advance(Seconds(3));
        Assert.Equal(["first", "second"], _done);
    }

    [Fact]
    public void What_repeats_is_made_up_for_after_a_delay()
    {
        _agenda.AddEvery(Seconds(1), now => _done.Add($"{now.TotalSeconds}"));
        _agenda.Advance(Seconds(1));
        _agenda.Advance(Seconds(3.5));
        Assert.Equal(["1", "3.5", "3.5"], _done);
    }

    private static TimeSpan Seconds(double seconds) => TimeSpan.FromSeconds(seconds);
}
