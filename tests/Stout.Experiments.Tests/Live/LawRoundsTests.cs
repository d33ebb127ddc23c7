using Stout.Experiments.Experiments;
using Stout.Experiments.Laws;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Tests.Live;

public sealed class LawRoundsTests
{
    private const int FirstLook = 2 * 7;
    private const int RunsOfACalibration = 4;

    private static readonly PacingChoice Law = LawCatalogue.Default;
    private static readonly PacingChoice Window = LawCatalogue.Find("window1")!;

    // The best interval is 10 ms, and its neighbors are 5 and 20 ms. Each round is twice as slow as the one before.
    private static double? Latency(Scenario scenario)
    {
        var usual = LawCatalogue.IntervalOf(scenario.Law) is { } interval ? 4 + Math.Abs(interval - 10) : scenario.Law == Law ? 5 : 8;
        return usual * Math.Pow(2, scenario.Seed - 1);
    }

    [Fact]
    public async Task The_best_interval_of_the_first_look_and_its_neighbours_run_beside_the_laws_in_every_round()
    {
        var runner = new ScriptedRunner(Latency);
        var load = Assert.Single(await MeasureAsync(runner, rounds: 3));
        Assert.Equal(["delay", "window1", "fixed-5", "fixed-10", "fixed-20"], load.Laws.Select(law => law.Name));
        Assert.Equal("fixed-10", load.BestFixed.Name);
        Assert.Equal(3, load.Count);
        var rounds = runner.Asked.Skip(RunsOfACalibration + FirstLook).Where(scenario => scenario.MostWaiting is null).Chunk(load.Laws.Count).ToList();
        Assert.Equal(3, rounds.Count);
        Assert.All(rounds, round => Assert.Equal(load.Laws.Select(law => law.Name).Order(), round.Select(scenario => scenario.Law.Name).Order()));
    }

    [Fact]
    public async Task Laws_have_time_to_adapt_and_all_are_measured_in_the_same_seconds()
    {
        var runner = new ScriptedRunner(Latency);
        await MeasureAsync(runner, rounds: 1);
        var runs = runner.Asked.Skip(RunsOfACalibration + FirstLook).Where(scenario => scenario.MostWaiting is null).ToList();

        Assert.All(runs, run => Assert.Equal(4, run.Warmup.TotalSeconds));
        Assert.All(runs, run => Assert.Equal(5, (run.Duration - run.Warmup).TotalSeconds));
    }

    [Fact]
    public async Task Ratios_are_paired_within_rounds()
    {
        var load = Assert.Single(await MeasureAsync(new ScriptedRunner(Latency), rounds: 3));
        var ratio = load.Ratio(Law, load.BestFixed);
        Assert.Equal(5 / 4.0, ratio.Ratio, 6);
        Assert.Equal(5 / 4.0, ratio.High!.Value, 6);
        Assert.Equal(8 / 5.0, load.Ratio(Window, Law).Ratio, 6);
    }

    [Fact]
    public async Task What_is_finished_when_somebody_stops_it_is_kept()
    {
        // The run is stopped after the calibration, the first look, two rounds with their calibrations, and a part of the third round.
        var load = Assert.Single(await MeasureAsync(new ScriptedRunner(Latency, stopAfter: RunsOfACalibration + FirstLook + (2 * 6) + 3), rounds: 5));
        Assert.Equal(2, load.Count);
    }

    [Fact]
    public async Task Nothing_is_kept_of_what_was_stopped_before_the_first_round_was_finished() =>
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => MeasureAsync(new ScriptedRunner(Latency, stopAfter: RunsOfACalibration + FirstLook + 2), rounds: 5));

    private static async Task<IReadOnlyList<LoadRounds>> MeasureAsync(ScriptedRunner runner, int rounds)
    {
        var settings = new RunSettings { Store = "sqlite", Live = new LiveSettings { Rounds = rounds } };
        using var pool = new RunPool(runner, null, TestContext.Current.CancellationToken);
        return await LawRounds.MeasureAsync(new ExperimentContext(settings, new LawsOnStore(), pool), [Law, Window], [0.5]);
    }
}
