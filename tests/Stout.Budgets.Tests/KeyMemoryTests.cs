using Stout.Pacing;

namespace Stout.Budgets.Tests;

/// <summary>
/// The memory that a key keeps alive: its handle, its place in the lane's table, its changes' records, and a share of the lane's growth. The key's text
/// and the application's object are not counted.
/// </summary>
public sealed class KeyMemoryTests(ITestOutputHelper output)
{
    private const int Keys = 200_000;

    [Fact]
    public async Task A_clean_key_with_an_open_handle_takes_150_bytes_at_most()
    {
        await using var service = await Service.StartAsync(Keys);
        var before = Memory.Live();
        await service.OpenAsync(static (client, key) => client.FillAsync(key));
        AssertPerKey(150, before);
        GC.KeepAlive(service);
    }

    [Fact]
    public async Task A_key_that_is_clean_again_takes_no_more()
    {
        await using var service = await Service.StartAsync(Keys);
        var before = Memory.Live();
        await service.OpenAsync(static (client, key) => client.FillAsync(key));
        await service.ChangeAllAsync();
        AssertPerKey(150, before);
        GC.KeepAlive(service);
    }

    [Fact]
    public async Task A_dirty_key_takes_380_bytes_at_most()
    {
        var never = PacingLaws.FixedInterval(new() { Interval = TimeSpan.FromMinutes(1) });
        await using var service = await Service.StartAsync(Keys, never);
        var before = Memory.Live();
        await service.OpenAsync(static (client, key) => client.OpenAsAbsentAsync(key));
        // The first batch leaves at once. The next ones would leave after the interval, so the other keys stay dirty.
        await Service.ChangeAsync(service.Handles[0]);
        foreach (var handle in service.Handles)
            handle.MarkDirty();
        Assert.False(await service.Handles[^1].TryCloseAsync());
        Assert.Equal(Keys, service.Client.GetStatistics().DirtyKeys);
        AssertPerKey(380, before);
        await service.StopAtOnceAsync();
    }

    [Fact]
    public async Task A_key_without_an_open_handle_takes_nothing()
    {
        await using var service = await Service.StartAsync(Keys);
        var before = Memory.Live();
        await service.OpenAsync(static (client, key) => client.FillAsync(key));
        await service.ChangeAllAsync();
        await service.CloseAllAsync();
        Assert.Equal(0, service.Client.GetStatistics().OpenKeys);
        // The budget is less than a reference for each key. It covers the grown arrays of the lane's queues.
        AssertPerKey(4, before);
        GC.KeepAlive(service);
    }

    private void AssertPerKey(double budget, long before)
    {
        var bytes = (Memory.Live() - before) / (double)Keys;
        output.WriteLine($"{bytes:0.0} bytes a key");
        Assert.InRange(bytes, double.NegativeInfinity, budget);
    }
}
