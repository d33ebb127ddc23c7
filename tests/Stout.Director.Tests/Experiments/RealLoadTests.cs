using Stout.Director.Experiments.Truth;
using Stout.Director.Simulation.Running;
using Stout.Director.Simulation.Scenarios;
using Stout.Director.Simulation.Workloads;
using Stout.Director.Tool.Fitting;

namespace Stout.Director.Tests.Experiments;

/// <summary>The loads of director-truth and director-record, which run in real time.</summary>
public sealed class RealLoadTests
{
    private static readonly TimeSpan Length = TimeSpan.FromMinutes(5);

    [Fact]
    public void A_load_stays_below_its_peak_and_changes_by_a_third_of_it_in_a_minute_at_most()
    {
        for (var seed = 1; seed <= 50; seed++)
        {
            var load = RealLoad.Draw(seed, Length, 100);
            for (var second = 0; second < Length.TotalSeconds - 60; second++)
            {
                Assert.InRange(load.Rate(second), 10, 100);
                Assert.InRange(load.Rate(second + 60) - load.Rate(second), -36, 36);
            }
        }
    }

    [Fact]
    public void Servers_and_percentile_of_a_run_can_differ_so_that_comparing_them_tells()
    {
        var idle = new double[TruthSetup.Thresholds.Count + 1];
        idle[0] = 1;
        var curve = new QueueCurve(TruthSetup.FullRate, TruthSetup.Slots, 2, TruthSetup.Thresholds, idle);
        var classes = new[] { 20, 50, 70, 80, 90, 95.0 }.Select(load => new LoadClass(load, curve.Slow(load), new double[TruthSetup.Thresholds.Count], 10)).ToList();
        var model = FittedModel.Of(new ProductionFit(classes, 1, curve, curve, curve, 0), curve, TruthSetup.Objective, TruthSetup.Type, 1, 10);
        for (var seed = 1; seed <= 3; seed++)
        {
            var load = RealLoad.Draw(seed, Length, TruthSetup.Peak);
            var director = new DirectorSettings(TruthSetup.Policy, [model.Type], load.Bins);
            long[] bytes = [.. Enumerable.Repeat(TruthSetup.BinBytes, load.Bins)];
            var run = SimulationRun.Run(DirectorScenario.Of([model], director, load, bytes, seed) with { Warmup = TimeSpan.FromSeconds(40) }, null, TestContext.Current.CancellationToken);
            Assert.InRange(run.AttainedPercentile(TruthSetup.Objective.Interval), 50, 99.9);
            Assert.True(run.Intervals.Select(interval => interval.Servers).Distinct().Count() > 1, $"seed {seed}");
        }
    }

    [Fact]
    public void The_cautious_operator_adds_servers_half_a_minute_late_and_removes_them_after_three_minutes()
    {
        // 170 requests/s from the second to the fourth minute need three servers, 70 need one.
        var load = new Step { Length = TimeSpan.FromMinutes(12) };
        var cautious = new CautiousOperator();
        int[] servers = [.. Enumerable.Range(0, 24).Select(half => cautious.Servers(load, TimeSpan.FromSeconds(30 * half)))];
        Assert.All(servers[..5], count => Assert.Equal(1, count));
        Assert.All(servers[5..14], count => Assert.Equal(3, count));
        Assert.All(servers[14..], count => Assert.Equal(1, count));
    }

    private sealed class Step : Workload
    {
        public override int Bins => 1;

        public override double Rate(double seconds) => seconds is >= 120 and < 240 ? 170 : 70;

        public override void FillShares(double seconds, Span<double> result) => result[0] = 1;
    }
}
