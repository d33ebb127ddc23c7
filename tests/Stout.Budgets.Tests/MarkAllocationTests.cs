using Stout.Benchmarks.Micro;
using Stout.Pacing;
using Stout.Tests;

namespace Stout.Budgets.Tests;

/// <summary>Marking allocates nothing, neither on the caller's thread nor in the lane.</summary>
public sealed class MarkAllocationTests
{
    private const int Keys = 10_000;
    private const int Rounds = 20;

    [Fact]
    public async Task MarkDirty_allocates_nothing_on_its_callers_thread()
    {
        var law = new StallingLaw();
        await using var service = await Service.StartAsync(Keys, () => law);
        await service.OpenAsync(static (client, key) => client.OpenAsAbsentAsync(key));

        // Lets the intake grow beyond the largest number of marks of a round. It keeps that size.
        lock (law.Gate)
        {
            for (var i = 0; i < 3; i++)
                MarkAll(service);
        }

        Assert.Equal(0, await Allocation.LeastAsync(Rounds, () => MarkAll(service), () => Service.ChangeAsync(service.Handles[0])));
    }

    [Fact]
    public void A_change_allocates_nothing_from_the_mark_to_the_acknowledgement()
    {
        var core = new CoreCycle(Keys);
        Round(core);
        Assert.Equal(0, Allocation.Least(Rounds, () => Round(core)));

        // The first batch of a round has all keys, and the second one has every third key. So the other keys are clean in every second batch.
        static void Round(CoreCycle core)
        {
            for (var key = 0; key < Keys; key++)
                core.Mark(key);
            core.Flush();
            for (var key = 0; key < Keys; key += 3)
                core.Mark(key);
            core.Flush();
        }
    }

    private static void MarkAll(Service service)
    {
        foreach (var handle in service.Handles)
            handle.MarkDirty();
    }

    /// <summary>Lets every batch leave at once, unless the lane's loop is held up.</summary>
    private sealed class StallingLaw : IPacingLaw
    {
        /// <summary>The lock at which the lane's loop waits while a test holds it.</summary>
        public Lock Gate { get; } = new();

        public TimeSpan Interval => TimeSpan.Zero;

        public int MaxInFlight => 8;

        public int MaxBatchKeys => int.MaxValue;

        public void BatchSent(in BatchDeparture departure)
        {
            lock (Gate)
            {
            }
        }

        public void RequestAnswered(in StoreRequest request)
        {
        }
    }
}
