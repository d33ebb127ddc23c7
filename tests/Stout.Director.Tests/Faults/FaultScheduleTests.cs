namespace Stout.Director.Tests.Faults;

public sealed class FaultScheduleTests
{
    private const int Schedules = 10_000;

    [Fact]
    public void Ten_thousand_schedules_of_faults_keep_every_promise_and_come_to_rest()
    {
        var crashes = new Dictionary<string, int>();
        for (var seed = 0; seed < Schedules; seed++)
        {
            var result = FaultSchedule.Run(seed);
            Assert.True(result.Violations.Count == 0, $"seed {seed}: {string.Join("; ", result.Violations)}");
            foreach (var (where, count) in result.Crashes)
                crashes[where] = crashes.GetValueOrDefault(where) + count;
        }

        // The schedules must have crashes of the Director before and after every kind of command.
        string[] commands = ["CopyBins", "DropReplicas", "LeaseServer", "ReleaseServer"];
        string[] phases = ["intents, before", "intents, after", "observation", .. commands.SelectMany(command => new[] { command + ", before", command + ", after" })];
        Assert.All(phases, phase => Assert.True(crashes.GetValueOrDefault(phase) >= 20, $"{phase}: {crashes.GetValueOrDefault(phase)}"));
    }

    [Fact]
    public void Five_periods_after_the_last_fault_cost_and_overload_are_those_of_a_run_without_faults()
    {
        for (var seed = 0; seed < 1_000; seed++)
        {
            var (disturbed, undisturbed) = (FaultSchedule.RunUntilQuiet(seed, isDisturbed: true), FaultSchedule.RunUntilQuiet(seed, isDisturbed: false));
            Assert.True(disturbed.Servers <= undisturbed.Servers + 1, $"seed {seed}: {disturbed.Servers} servers, {undisturbed.Servers} without faults");
            Assert.True(disturbed.Overload <= undisturbed.Overload + 0.01, $"seed {seed}: overload {disturbed.Overload:0.00}, {undisturbed.Overload:0.00} without faults");
        }
    }

    [Theory]
    [InlineData(PlantedBug.ActsBeforeTheIntentIsDurable, "no durable intent")]
    [InlineData(PlantedBug.IgnoresTheEpoch, "was carried out under epoch")]
    [InlineData(PlantedBug.CountsSilenceAsZero, "a silent server is")]
    [InlineData(PlantedBug.RemovesBeforeTheLastMove, "would have one replica")]
    [InlineData(PlantedBug.CopiesToAllReplicasAtOnce, "would be under copy")]
    public void A_planted_error_is_caught(PlantedBug bug, string expected)
    {
        var caught = Enumerable.Range(0, 2_000).Select(seed => FaultSchedule.Run(seed, bug)).FirstOrDefault(result => result.Violations.Any(violation => violation.Contains(expected, StringComparison.Ordinal)));
        Assert.NotNull(caught);
    }
}
