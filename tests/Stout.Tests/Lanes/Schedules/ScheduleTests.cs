namespace Stout.Tests.Lanes.Schedules;

/// <summary>
/// The guarantees for any order of events. No message is released early, no acknowledged change is lost, and no change reported as not applied is in
/// the store. Messages of a key keep their order, and every call ends. A failing seed reproduces its schedule exactly.
/// </summary>
public sealed class ScheduleTests(ITestOutputHelper output)
{
    /// <summary>The number of schedules: the environment variable STOUT_SCHEDULES, or 40,000.</summary>
    private static int Schedules { get; } =
        int.TryParse(Environment.GetEnvironmentVariable("STOUT_SCHEDULES"), out var count) ? count : 40_000;

    [Fact]
    public void Every_schedule_keeps_every_guarantee()
    {
        var counts = new Dictionary<string, int>();
        for (var seed = 0; seed < Schedules; seed++)
        {
            if (Violation(seed, PlantedBug.None, counts) is { } violation)
                Assert.Fail($"seed {seed}: {violation}");
        }

        output.WriteLine(string.Join(", ", counts.OrderBy(c => c.Key).Select(c => $"{c.Key} {c.Value}")));
        // The schedules must reach each of these outcomes. Otherwise the test would not cover it.
        string[] reached = ["safe", "killed", "broken", "claim", "refresh", "take over", "late claim", "confirmed", nameof(OutcomeUnknownException), nameof(ConflictException), nameof(FencedException), nameof(NotAppliedException), nameof(HandleClosedException)];
        Assert.All(reached, what => Assert.True(counts.GetValueOrDefault(what) >= Math.Max(1, Schedules / 1000), $"{what}: {counts.GetValueOrDefault(what)}"));
    }

    [Theory]
    [InlineData(PlantedBug.ReleaseOnSend)]
    [InlineData(PlantedBug.DirtyClearedAfterSerializing)]
    [InlineData(PlantedBug.StampIgnored)]
    [InlineData(PlantedBug.RepeatWithOtherBytes)]
    [InlineData(PlantedBug.ConflictOfRepeatTakenForNotApplied)]
    [InlineData(PlantedBug.FillOverwritesMemory)]
    [InlineData(PlantedBug.OldHandleWorks)]
    [InlineData(PlantedBug.OwnerIgnored)]
    [InlineData(PlantedBug.ClaimAfterRead)]
    [InlineData(PlantedBug.ConfirmWithoutAsking)]
    public void A_planted_bug_is_caught(PlantedBug bug)
    {
        for (var seed = 0; seed < Schedules; seed++)
        {
            if (Violation(seed, bug, []) is not { } violation)
                continue;
            output.WriteLine($"{bug}: caught by seed {seed}: {violation}");
            return;
        }

        Assert.Fail($"{bug} was not caught by {Schedules} schedules.");
    }

    private static string? Violation(int seed, PlantedBug bug, Dictionary<string, int> counts)
    {
        var schedule = new Schedule(seed, bug);
        try
        {
            schedule.Run();
            return null;
        }
        catch (ScheduleViolation violation)
        {
            return violation.Message;
        }
        finally
        {
            foreach (var (what, count) in schedule.Counts)
                counts[what] = counts.GetValueOrDefault(what) + count;
        }
    }
}
