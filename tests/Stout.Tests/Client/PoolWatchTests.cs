using Microsoft.Extensions.Time.Testing;
using Stout.Diagnostics;

namespace Stout.Tests.Client;

public sealed class PoolWatchTests : IDisposable
{
    private readonly FakeTimeProvider _time = new();
    private readonly Queue<IThreadPoolWorkItem> _pool = new();
    private readonly List<int> _reports = [];
    private readonly PoolWatch _watch;
    private int _queued;

    public PoolWatchTests() => _watch = new PoolWatch(
        _time,
        probe =>
        {
            _queued++;
            _pool.Enqueue(probe);
        },
        _reports.Add);

    public void Dispose() => _watch.Dispose();

    [Fact]
    public void Probe_that_runs_within_a_second_is_queued_each_second_and_not_reported()
    {
        for (var second = 1; second <= 100; second++)
        {
            Pass(1);
            Assert.Equal(second, _queued);
            _pool.Dequeue().Execute();
        }

        Assert.Empty(_reports);
    }

    [Fact]
    public void Probe_that_waits_is_reported_while_it_waits_and_at_most_every_ten_seconds()
    {
        Pass(2);
        Assert.Empty(_reports);
        Pass(1);
        Assert.Equal([2], _reports);
        Pass(9);
        Assert.Equal([2], _reports);
        Pass(1);
        Assert.Equal([2, 12], _reports);
        Assert.Equal(1, _queued);
    }

    [Fact]
    public void Wait_begins_with_each_probe()
    {
        Pass(2);
        _pool.Dequeue().Execute();
        Pass(2);
        Assert.Empty(_reports);
        Pass(1);
        Assert.Equal([2], _reports);
    }

    [Fact]
    public void Disposed_watch_queues_and_reports_nothing()
    {
        Pass(2);
        _watch.Dispose();
        Pass(10);
        Assert.Equal(1, _queued);
        Assert.Empty(_reports);
    }

    [Fact]
    public void Simulated_clock_does_not_measure_the_pool() => Assert.Null(PoolWatch.OfProcess(_time, _ => { }));

    private void Pass(int seconds)
    {
        for (var i = 0; i < seconds; i++)
            _time.Advance(TimeSpan.FromSeconds(1));
    }
}
