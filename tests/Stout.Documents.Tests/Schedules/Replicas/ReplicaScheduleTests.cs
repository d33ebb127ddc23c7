using Xunit.Sdk;

namespace Stout.Documents.Tests.Schedules.Replicas;

/// <summary>
/// Several replicas with retries on one store, with expiry, for any order of events. No acknowledged change is lost or made twice. A read shows at least
/// the version that the store held when the read began. No expired object is returned, and no object is swept before its time.
/// </summary>
/// <remarks>Runs alone, since a schedule takes its next step only when the thread pool is idle.</remarks>
[Collection(nameof(Alone))]
public sealed class ReplicaScheduleTests(ITestOutputHelper output)
{
    private static readonly int Schedules = ScheduleThread.SchedulesOr(300);

    [Fact]
    public async Task Every_schedule_keeps_every_guarantee()
    {
        var counts = new Dictionary<string, int>();
        if (await FirstViolation(ReplicaBug.None, counts) is { } violation)
            Assert.Fail(violation);
        output.WriteLine(string.Join(", ", counts.OrderBy(count => count.Key).Select(count => $"{count.Key} {count.Value}")));
        // The schedules must reach each of these outcomes. Otherwise the test would not cover it.
        string[] reached =
        [
            "done", "nothing", "run again", "swept", "expired and replaced", nameof(ScheduleException), nameof(NotAppliedException), nameof(OutcomeUnknownException),
            nameof(FillFailedException), nameof(OperationCanceledException),
        ];
        Assert.All(reached, what => Assert.True(counts.GetValueOrDefault(what) >= Math.Max(1, Schedules / 100), $"{what}: {counts.GetValueOrDefault(what)}"));
    }

    [Theory]
    [InlineData(ReplicaBug.SweepIgnoresStamp)]
    [InlineData(ReplicaBug.SweepIgnoresSkew)]
    [InlineData(ReplicaBug.LateClock)]
    [InlineData(ReplicaBug.UnknownOutcomeIsRetried)]
    [InlineData(ReplicaBug.RetryUsesStaleObject)]
    [InlineData(ReplicaBug.FirstRunIsAnswered)]
    [InlineData(ReplicaBug.ReadsFromMemory)]
    public async Task A_planted_bug_is_caught(ReplicaBug bug) =>
        output.WriteLine($"{bug}: {await FirstViolation(bug, []) ?? throw FailException.ForFailure($"{bug} was not caught by {Schedules} schedules.")}");

    private static Task<string?> FirstViolation(ReplicaBug bug, Dictionary<string, int> counts) => ScheduleThread.RunAsync(Schedules, counts, (seed, activity) =>
    {
        var schedule = new ReplicaSchedule(seed, bug, activity);
        schedule.Run();
        return schedule.Counts;
    });
}
