namespace Stout.Argon.Tests.Engine;

/// <summary>Flushed data survives every fault of the device.</summary>
public sealed class FlushScheduleTests
{
    [Fact]
    public void Ten_thousand_schedules_lose_nothing_that_was_flushed()
    {
        var (flushed, failed, evicted) = (0, 0, 0);
        for (var seed = 0; seed < 10_000; seed++)
        {
            var run = new FaultyRun(seed, failures: seed % 2 == 1);
            var wrong = run.Run(120);
            Assert.True(wrong is null, $"seed {seed}: {wrong}");
            flushed += run.Flushed;
            failed += run.Failed;
            evicted += run.Evicted;
        }

        // The schedules must reach the cases that they test: flushes that succeed, flushes that fail, and blocks that are evicted and written.
        Assert.True(flushed > 5_000 && failed > 500 && evicted > 20_000, $"{flushed} flushed, {failed} failed, {evicted} written");
    }

    [Fact]
    public void A_device_that_lies_about_a_sync_is_found_out() =>
        Assert.Contains(Enumerable.Range(0, 200), seed => new FaultyRun(seed, failures: false) { SyncLies = true }.Run(120) is not null);
}
