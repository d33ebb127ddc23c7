using Xunit.Sdk;

namespace Stout.Documents.Tests.Schedules;

/// <summary>
/// No answer, a function's exception among them, leaves before what it tells of is durable; nothing acknowledged is lost, nothing
/// reported as not applied is there, functions see what memory must hold, and every call is answered: for any order of events.
/// </summary>
/// <remarks>Alone, since a schedule takes its steps when the thread pool has come to rest.</remarks>
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
        // The schedules are worth nothing if they never get there.
        string[] reached =
        [
            "done", "run again", "ended in the middle", nameof(ScheduleException), nameof(ChangeTooLargeException), nameof(NotAppliedException),
            nameof(OutcomeUnknownException), nameof(ConflictException), nameof(FillFailedException), nameof(OperationCanceledException), nameof(StoppedException),
            nameof(OverloadException),
        ];
        Assert.All(reached, what => Assert.True(counts.GetValueOrDefault(what) >= Math.Max(1, Schedules / 100), $"{what}: {counts.GetValueOrDefault(what)}"));
    }

    [Theory]
    [InlineData(PlantedBug.StoreLies)]
    [InlineData(PlantedBug.StampIgnored)]
    [InlineData(PlantedBug.LateCallbackReachesTheNextFill)]
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

/// <summary>Tests that run beside no other.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
