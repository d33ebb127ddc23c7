using Microsoft.Extensions.Time.Testing;
using Stout.Experiments.Live;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;
using Stout.Testing;

namespace Stout.Experiments.Tests.Live;

public sealed class LiveRecorderTests
{
    private readonly FakeTimeProvider _time = new();

    [Fact]
    public void Latency_counts_from_the_intended_start_and_after_the_warm_up()
    {
        var recorder = new LiveRecorder(LiveScenarios.OnOneTier(), _time);
        Ask(recorder, TimeSpan.Zero);
        Advance(100);
        Answer(recorder, TimeSpan.Zero);
        recorder.BeginMeasuring(recorder.Now);
        Ask(recorder, recorder.Now);
        Advance(30);
        Answer(recorder, Milliseconds(100));
        var run = recorder.End(recorder.Now, new StoreTraffic(1, 2, 300, 0, Milliseconds(7)));
        Assert.Equal(1, run.Writes.Count);
        Assert.Equal(30, run.MeanMilliseconds, 9);
        Assert.Equal(2, run.KeysSent);
        Assert.Equal(Milliseconds(7), run.LongestStoreLatency);
    }

    [Fact]
    public async Task What_is_answered_after_the_end_is_waited_for_and_counts_for_nothing()
    {
        var recorder = new LiveRecorder(LiveScenarios.OnOneTier(), _time);
        recorder.BeginMeasuring(TimeSpan.Zero);
        Ask(recorder, TimeSpan.Zero);
        var run = recorder.End(recorder.Now, default);
        var drained = recorder.DrainAsync(TestContext.Current.CancellationToken);
        Assert.False(drained.IsCompleted);
        Answer(recorder, TimeSpan.Zero);
        Advance(1_000);
        await drained;
        Assert.Equal(0, run.Writes.Count);
    }

    [Fact]
    public void Nobody_asks_while_as_many_wait_as_may()
    {
        var recorder = new LiveRecorder(LiveScenarios.OnOneTier() with { MostWaiting = 2 }, _time);
        Assert.True(recorder.TryAsk(TimeSpan.Zero));
        Assert.True(recorder.TryAsk(TimeSpan.Zero));
        Assert.False(recorder.TryAsk(TimeSpan.Zero));
        Answer(recorder, TimeSpan.Zero);
        Assert.True(recorder.TryAsk(TimeSpan.Zero));
    }

    [Fact]
    public async Task A_request_that_fails_makes_the_run_fail()
    {
        var recorder = new LiveRecorder(LiveScenarios.OnOneTier(), _time);
        Ask(recorder, TimeSpan.Zero);
        recorder.Answered(new ClientRequest(TimeSpan.Zero, IsWrite: true, 0, 0), new StoppedException());
        await Assert.ThrowsAsync<ExperimentException>(() => recorder.DrainAsync(TestContext.Current.CancellationToken));
    }

    private static void Ask(LiveRecorder recorder, TimeSpan startedAt) => Assert.True(recorder.TryAsk(startedAt));

    private static void Answer(LiveRecorder recorder, TimeSpan startedAt) => recorder.Answered(new ClientRequest(startedAt, IsWrite: true, 0, 0), null);

    private static TimeSpan Milliseconds(double milliseconds) => TimeSpan.FromMilliseconds(milliseconds);

    private void Advance(double milliseconds) => _time.Advance(Milliseconds(milliseconds));
}
