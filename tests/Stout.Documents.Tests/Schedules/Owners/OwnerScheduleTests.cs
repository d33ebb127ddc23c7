using Xunit.Sdk;

namespace Stout.Documents.Tests.Schedules.Owners;

/// <summary>
/// Several clients that claim the objects of one store, for any order of events. No acknowledged change is lost or made twice, and no fenced change is
/// made. Answers to a client never go back to an older version. A confirmed read shows at least the version that the store held when the read began.
/// </summary>
/// <remarks>Runs alone, since a schedule takes its next step only when the thread pool is idle.</remarks>
[Collection(nameof(Alone))]
public sealed class OwnerScheduleTests(ITestOutputHelper output)
{
    private static readonly int Schedules = ScheduleThread.SchedulesOr(300);

    [Fact]
    public async Task Every_schedule_keeps_every_guarantee()
    {
        var counts = new Dictionary<string, int>();
        if (await FirstViolation(OwnerBug.None, counts) is { } violation)
            Assert.Fail(violation);
        output.WriteLine(string.Join(", ", counts.OrderBy(count => count.Key).Select(count => $"{count.Key} {count.Value}")));
        // The schedules must reach each of these outcomes. Otherwise the test would not cover it.
        string[] reached =
        [
            "changed", "read", "confirmed", nameof(ScheduleException), nameof(FencedException), nameof(NotAppliedException), nameof(OutcomeUnknownException),
            nameof(UnconfirmedException), nameof(FillFailedException), nameof(OperationCanceledException),
        ];
        Assert.All(reached, what => Assert.True(counts.GetValueOrDefault(what) >= Math.Max(1, Schedules / 100), $"{what}: {counts.GetValueOrDefault(what)}"));
    }

    [Theory]
    [InlineData(OwnerBug.OwnerIgnored)]
    [InlineData(OwnerBug.StampIgnored)]
    [InlineData(OwnerBug.ClaimAfterRead)]
    [InlineData(OwnerBug.ClaimReadsStaleObject)]
    [InlineData(OwnerBug.ConfirmedFromMemory)]
    [InlineData(OwnerBug.FencedTakenForDurable)]
    [InlineData(OwnerBug.UnknownTakenForNotApplied)]
    [InlineData(OwnerBug.UnknownOutcomeIsRetried)]
    public async Task A_planted_bug_is_caught(OwnerBug bug) =>
        output.WriteLine($"{bug}: {await FirstViolation(bug, []) ?? throw FailException.ForFailure($"{bug} was not caught by {Schedules} schedules.")}");

    private static Task<string?> FirstViolation(OwnerBug bug, Dictionary<string, int> counts) => ScheduleThread.RunAsync(Schedules, counts, (seed, activity) =>
    {
        var schedule = new OwnerSchedule(seed, bug, activity);
        schedule.Run();
        return schedule.Counts;
    });
}
