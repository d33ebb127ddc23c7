using Microsoft.Extensions.Time.Testing;
using Stout.Experiments.Live;
using Stout.Experiments.Workloads;
using Stout.Testing;

namespace Stout.Experiments.Tests.Live;

public sealed class OpenLoopTests
{
    private static readonly TimeSpan Tick = ClientThread.Tick;

    private readonly FakeTimeProvider _time = new();
    private readonly long _start;
    private readonly List<(TimeSpan StartedAt, TimeSpan SentAt)> _sent = [];

    public OpenLoopTests() => _start = _time.GetTimestamp();

    [Fact]
    public void Every_request_of_the_plan_is_sent_with_its_bundle()
    {
        var clients = Clients(5_000);
        for (var i = 0; i < 1_000; i++)
            Look(clients, Tick);
        Assert.Equal(Planned(5_000).TakeWhile(due => due <= TimeSpan.FromSeconds(1)).Count(), _sent.Count);
        Assert.All(_sent, sent => Assert.Equal(sent.SentAt, sent.StartedAt));
    }

    [Fact]
    public void What_delays_the_clients_counts_as_latency()
    {
        var clients = Clients(1_000);
        Look(clients, TimeSpan.FromSeconds(1));
        var due = Planned(1_000).TakeWhile(due => due <= TimeSpan.FromSeconds(1)).ToList();
        Assert.Equal(due.Count, _sent.Count);
        // A request's latency counts from one tick (1 ms) after its planned time, the longest wait for its bundle. For requests of the last tick it counts from
        // the end of the run, at 1 s.
        Assert.All(due.Zip(_sent), pair => Assert.Equal(Min(pair.First + Tick, TimeSpan.FromSeconds(1)), pair.Second.StartedAt));
    }

    [Fact]
    public void They_wait_for_nobody()
    {
        var clients = Clients(100);
        Look(clients, TimeSpan.FromSeconds(10));
        var before = _sent.Count;
        Look(clients, TimeSpan.FromSeconds(10));
        Assert.InRange(_sent.Count, before + 500, before + 2_000);
    }

    private static IEnumerable<TimeSpan> Planned(double perSecond)
    {
        var arrivals = new PoissonArrivals(LoadProfile.Constant(perSecond), new Random(1));
        while (true)
            yield return arrivals.Next();
    }

    private static TimeSpan Min(TimeSpan a, TimeSpan b) => a < b ? a : b;

    private OpenLoop Clients(double perSecond) =>
        new(new PoissonArrivals(LoadProfile.Constant(perSecond), new Random(1)), startedAt => _sent.Add((startedAt, Now)));

    private TimeSpan Now => _time.GetElapsedTime(_start);

    private void Look(OpenLoop clients, TimeSpan after)
    {
        _time.Advance(after);
        clients.Advance(Now);
    }
}
