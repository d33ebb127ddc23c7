namespace Stout.Argon.Tests.Engine;

/// <summary>Flushed data and lengths survive every fault of the device, and every request is answered.</summary>
public sealed class FlushScheduleTests
{
    [Fact]
    public void Ten_thousand_schedules_lose_nothing_that_was_flushed()
    {
        var reached = new Dictionary<string, int>();
        for (var seed = 0; seed < 10_000; seed++)
        {
            var run = new FaultyRun(seed, failures: seed % 2 == 1, atOnce: seed % 4 >= 2);
            var wrong = run.Run(150);
            Assert.True(wrong is null, $"seed {seed}: {wrong}");
            foreach (var (what, count) in run.Reached)
                reached[what] = reached.GetValueOrDefault(what) + count;
        }

        // The schedules must reach the cases that they test.
        foreach (var (what, least) in new[]
        {
            ("Read", 20_000), ("Write", 20_000), ("Flush", 5_000), ("Resize", 2_000), ("Allocate", 5_000), ("Forget", 2_000), ("Remove", 500), ("failed", 2_000), ("canceled", 1_000),
            ("written", 20_000), ("full", 1_000), ("quota", 1_000), ("disposed", 4_000),
        })
            Assert.True(reached.GetValueOrDefault(what) > least, $"{what}: {reached.GetValueOrDefault(what)}");
    }

    [Fact]
    public void A_device_that_lies_about_a_sync_is_found_out() =>
        Assert.Contains(Enumerable.Range(0, 200), seed => new FaultyRun(seed, failures: false) { SyncLies = true }.Run(150) is not null);
}
