using Stout.Documents.Tests.Schedules;
using Xunit.Sdk;

namespace Stout.Orleans.Tests.Schedules;

/// <summary>
/// The states of grains under claims, for any order of events. No acknowledged write is lost, no write that was answered as not written is in the store, and
/// each read returns at least the state that the store held when the read began. Every call is answered.
/// </summary>
/// <remarks>Runs alone, since a schedule takes its next step only when the thread pool is idle.</remarks>
[Collection(nameof(Alone))]
public sealed class GrainScheduleTests(ITestOutputHelper output)
{
    private static readonly int Schedules = ScheduleThread.SchedulesOr(100);

    [Fact]
    public async Task Every_schedule_keeps_every_guarantee()
    {
        var counts = new Dictionary<string, int>();
        if (await FirstViolation(GrainBug.None, counts) is { } violation)
            Assert.Fail(violation);
        output.WriteLine(string.Join(", ", counts.OrderBy(count => count.Key).Select(count => $"{count.Key} {count.Value}")));
        // The schedules must reach each of these outcomes. Otherwise the test would not cover it.
        string[] reached =
        [
            "read", "written", "closed", "closed with a position", nameof(global::Orleans.Storage.InconsistentStateException), nameof(GrainStateNotWrittenException),
            nameof(GrainStateOutcomeUnknownException), nameof(GrainStateNotReadException), nameof(FillFailedException), nameof(OperationCanceledException),
        ];
        Assert.All(reached, what => Assert.True(counts.GetValueOrDefault(what) >= Math.Max(1, Schedules / 100), $"{what}: {counts.GetValueOrDefault(what)}"));
    }

    [Theory]
    [InlineData(GrainBug.StampIgnored)]
    [InlineData(GrainBug.ClaimReadsStaleObject)]
    [InlineData(GrainBug.FencedTakenForDurable)]
    [InlineData(GrainBug.UnknownTakenForNotWritten)]
    public async Task A_planted_bug_is_caught(GrainBug bug) =>
        output.WriteLine($"{bug}: {await FirstViolation(bug, []) ?? throw FailException.ForFailure($"{bug} was not caught by {Schedules} schedules.")}");

    private static Task<string?> FirstViolation(GrainBug bug, Dictionary<string, int> counts) => ScheduleThread.RunAsync(Schedules, counts, (seed, activity) =>
    {
        var schedule = new GrainSchedule(seed, bug, activity);
        schedule.Run();
        return schedule.Counts;
    });
}
