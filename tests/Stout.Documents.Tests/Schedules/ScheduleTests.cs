using Xunit.Sdk;

namespace Stout.Documents.Tests.Schedules;

/// <summary>
/// The guarantees for any order of events. No answer or exception leaves before the state that it reveals is durable. No acknowledged change is lost,
/// and no change reported as not applied is in the store. Functions see the state that memory must hold, and every call is answered.
/// </summary>
/// <remarks>Runs alone, since a schedule takes its next step only when the thread pool is idle.</remarks>
[Collection(nameof(Alone))]
public sealed class ScheduleTests(ITestOutputHelper output)
{
    private static readonly int Schedules = ScheduleThread.SchedulesOr(2_000);

    [Fact]
    public async Task Every_schedule_keeps_every_guarantee()
    {
        var counts = new Dictionary<string, int>();
        if (await FirstViolation(PlantedBug.None, counts) is { } violation)
            Assert.Fail(violation);
        output.WriteLine(string.Join(", ", counts.OrderBy(count => count.Key).Select(count => $"{count.Key} {count.Value}")));
        // The schedules must reach each of these outcomes. Otherwise the test would not cover it.
        string[] reached =
        [
            "done", "run again", "ended in the middle", nameof(ScheduleException), nameof(ChangeTooLargeException), nameof(NotAppliedException),
            nameof(OutcomeUnknownException), nameof(ConflictException), nameof(FillFailedException), nameof(OperationCanceledException), nameof(StoppedException),
            nameof(OverloadException), nameof(NotAppliedException) + " in time", nameof(OutcomeUnknownException) + " in time", nameof(FillFailedException) + " in time",
        ];
        Assert.All(reached, what => Assert.True(counts.GetValueOrDefault(what) >= Math.Max(1, Schedules / 100), $"{what}: {counts.GetValueOrDefault(what)}"));
    }

    [Theory]
    [InlineData(PlantedBug.StoreLies)]
    [InlineData(PlantedBug.StampIgnored)]
    [InlineData(PlantedBug.ResultLeavesEarly)]
    [InlineData(PlantedBug.ExceptionLeavesEarly)]
    [InlineData(PlantedBug.FailureTakenForSuccess)]
    [InlineData(PlantedBug.UnknownTakenForNotApplied)]
    public async Task A_planted_bug_is_caught(PlantedBug bug) =>
        output.WriteLine($"{bug}: {await FirstViolation(bug, []) ?? throw FailException.ForFailure($"{bug} was not caught by {Schedules} schedules.")}");

    private static Task<string?> FirstViolation(PlantedBug bug, Dictionary<string, int> counts) => ScheduleThread.RunAsync(Schedules, counts, (seed, activity) =>
    {
        using var schedule = new Schedule(seed, bug, activity);
        schedule.Run();
        return schedule.Counts;
    });
}

/// <summary>Tests that never run at the same time as others.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
