using Authors.Editing;
using Stout.Experiments.Experiments;
using Stout.Experiments.Live;
using Stout.Experiments.Live.Stores;
using Stout.Experiments.Model.Stores;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Tests.Live;

/// <summary>The shortest possible runs on a real store. The tests assert no times.</summary>
public sealed class SqliteRunTests : IAsyncDisposable
{
    private readonly SqliteFile _store = new();

    [Fact]
    public async Task Every_middle_tier_writes_its_documents_and_every_request_is_answered()
    {
        var scenario = LiveScenarios.OnOneTier() with { Tiers = 3, Warmup = TimeSpan.Zero };
        await using var service = await LiveService.OpenAsync(_store, ServiceShape.Of(scenario), TestContext.Current.CancellationToken);
        Assert.Equal(scenario.Documents, service.Traffic.Keys);
        // The run ends only when no request waits any more.
        await LiveRun.RunAsync(service, scenario, TimeProvider.System, TestContext.Current.CancellationToken);
        Assert.InRange(service.Traffic.Keys, 1, Writes(scenario));
        Assert.All(service.Tiers, tier => Assert.Single(tier.Lanes));
    }

    [Fact]
    public async Task A_store_that_pauses_answers_everything_afterwards_and_laws_start_anew_in_between()
    {
        await using var runner = new LiveRunner(_store, TimeProvider.System);
        var pause = TimeSpan.FromMilliseconds(100);
        var run = await runner.RunAsync(
            LiveScenarios.OnOneTier() with { Speed = _ => StoreSpeed.Hiccup(pause, pause), Disturbance = (2 * pause, _ => 3) }, TestContext.Current.CancellationToken);
        Assert.Equal(1, run.Scenario.Tiers);
    }

    [Fact]
    public async Task A_store_that_can_only_be_stopped_is_not_slowed_down()
    {
        await using var runner = new LiveRunner(_store, TimeProvider.System);
        var slow = LiveScenarios.OnOneTier() with { Speed = _ => new StoreSpeed(new SpeedChange(TimeSpan.Zero, 0.1)) };
        await Assert.ThrowsAsync<ExperimentException>(() => runner.RunAsync(slow, TestContext.Current.CancellationToken));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task What_authors_have_typed_is_in_the_store(bool subKeys)
    {
        var histories = HistoryFile.ReadFolder(new RunSettings().Histories);
        await using var runner = new LiveRunner(_store, TimeProvider.System);
        var figures = await runner.ReplayAsync(histories, LiveScenarios.OnOneTier(), new EditingSettings(10_000, subKeys), TestContext.Current.CancellationToken);
        Assert.True(figures.Verified);
        Assert.Equal(histories.Sum(history => history.Keystrokes.Count), figures.Keystrokes);
        Assert.InRange(figures.Run.KeysSent, histories.Count, figures.WritesAsked);
    }

    public ValueTask DisposeAsync() => _store.DisposeAsync();

    private static int Writes(Scenario scenario)
    {
        var arrivals = new PoissonArrivals(scenario.Load, new Random(new Random(scenario.Seed).Next()));
        var count = 0;
        while (arrivals.Next() <= scenario.Duration)
            count++;
        return count;
    }
}
