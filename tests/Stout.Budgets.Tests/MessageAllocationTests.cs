namespace Stout.Budgets.Tests;

/// <summary>The allocations of the whole process (caller, lane and thread pool) for a change and its message, after a warm-up.</summary>
public sealed class MessageAllocationTests(ITestOutputHelper output)
{
    private const int Keys = 10_000;
    private const int Rounds = 40;

    // So few changes at a time that the lane's intake does not grow. Its growth depends on the machine's scheduling, and is not measured.
    private const int Burst = 1000;

    [Fact]
    public Task A_message_with_a_callback_takes_100_bytes_at_most() => AssertBytesAsync(100, static async service =>
    {
        for (var first = 0; first < Keys; first += Burst)
        {
            var countdown = new Countdown(Burst);
            for (var i = first; i < first + Burst; i++)
            {
                service.Handles[i].MarkDirty();
                service.Handles[i].SendMessageWhenSafe(countdown, static (countdown, _) => countdown.Signal());
            }

            await countdown.Zero;
        }
    });

    [Fact]
    public Task An_awaited_message_takes_100_bytes_at_most() => AssertBytesAsync(100, static service =>
    {
        const int writers = 100;
        return Task.WhenAll(Enumerable.Range(0, writers).Select(async writer =>
        {
            for (var i = writer; i < Keys; i += writers)
            {
                service.Handles[i].MarkDirty();
                await service.Handles[i].WhenSafeAsync();
            }
        }));
    });

    private async Task AssertBytesAsync(double budget, Func<Service, Task> round)
    {
        await using var service = await Service.StartAsync(Keys);
        await service.OpenAsync(static (client, key) => client.OpenAsAbsentAsync(key));
        for (var i = 0; i < Rounds; i++)
            await round(service);

        var before = Memory.Allocated();
        for (var i = 0; i < Rounds; i++)
            await round(service);
        var bytes = (Memory.Allocated() - before) / ((double)Rounds * Keys);
        output.WriteLine($"{bytes:0.00} bytes each");
        Assert.InRange(bytes, 0, budget);
    }

    private sealed class Countdown(int count)
    {
        private readonly TaskCompletionSource _zero = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private int _left = count;

        public Task Zero => _zero.Task;

        public void Signal()
        {
            if (Interlocked.Decrement(ref _left) == 0)
                _zero.SetResult();
        }
    }
}
