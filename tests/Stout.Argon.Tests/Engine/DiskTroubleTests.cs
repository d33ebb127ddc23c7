using Stout.Argon.Devices;
using Stout.Argon.Engine;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Tests.Engine;

/// <summary>Disks that do not answer, and disks with caps.</summary>
public sealed class DiskTroubleTests : IDisposable
{
    // Loops that advance the clock in small steps while real files are written can't reach this limit, on however busy a machine.
    private static readonly TimeSpan s_limit = TimeSpan.FromDays(30);
    private readonly TemporaryFolder _stuck = new();
    private readonly TemporaryFolder _well = new();
    private readonly SteppedTime _time = new();

    public void Dispose()
    {
        _stuck.Dispose();
        _well.Dispose();
    }

    [Fact]
    public async Task A_request_that_never_ends_is_reported_within_its_time_limit_and_other_disks_go_on()
    {
        HeldDevice? held = null;
        var disk = TestServer.Options(_stuck.Path).Disks[0];
        var options = TestServer.Options(_stuck.Path) with { Disks = [disk, disk with { Folder = _well.Path }], IoTimeLimit = TimeSpan.FromSeconds(5) };
        using var server = ArgonServer.Open(options, _time, (place, device) => place == 0 ? held = new HeldDevice(device) : device);
        var target = await server.AddService("stuck").Create("object");
        var neighbor = await server.AddService("neighbor").Create("object", disk: 1);
        target.Write(0, new byte[10_000]);
        held!.Hold();
        var flush = target.FlushAsync(TestContext.Current.CancellationToken).AsTask();
        await held.Arrived;

        _time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal([true, true], server.Health().Select(health => health.Healthy));
        _time.Advance(TimeSpan.FromMilliseconds(1));
        var health = server.Health();
        Assert.Equal([false, true], health.Select(health => health.Healthy));
        Assert.Equal((_stuck.Path, TimeSpan.FromSeconds(5.001)), (health[0].Folder, health[0].OldestRequest));

        var bytes = new byte[100_000];
        neighbor.Write(0, bytes);
        neighbor.Flush();
        Assert.Equal(bytes.Length, neighbor.Read(0, bytes));
        Assert.False(flush.IsCompleted);
        held.Release();
        await flush;
        Assert.Equal([true, true], server.Health().Select(health => health.Healthy));
    }

    [Theory(Timeout = 60_000)]
    [InlineData(DiskIoKind.Read)]
    [InlineData(DiskIoKind.Write)]
    [InlineData(DiskIoKind.Sync)]
    [InlineData(DiskIoKind.Task)]
    public async Task Disposal_beside_a_disk_that_never_answers_ends_with_an_error_and_flushes_the_other_disk(object kind)
    {
        HeldDevice? held = null;
        var disk = TestServer.Options(_stuck.Path).Disks[0];
        var options = TestServer.Options(_stuck.Path) with { Disks = [disk, disk with { Folder = _well.Path }], IoTimeLimit = s_limit, WriteBackAfter = 10 * s_limit };
        var server = ArgonServer.Open(options, _time, (place, device) => place == 0 ? held = new HeldDevice(device) : device);
        var (one, other) = (server.AddService("one"), server.AddService("other"));
        var target = await one.Create("object");
        var neighbor = await other.Create("object", disk: 1);
        target.Write(0, new byte[10_000]);
        await target.DisposeAsync();
        target = await one.Open("object");
        target.Write(0, new byte[4096]);
        neighbor.Write(0, [1, 2, 3]);
        held!.Hold(io => io.Kind.Equals(kind));
        Task[] calls =
        [
            target.ReadAsync(5000, new byte[10], TestContext.Current.CancellationToken).AsTask(),
            target.FlushAsync(TestContext.Current.CancellationToken).AsTask(),
            one.Create("another"),
        ];
        await held.Arrived;
        var error = await Assert.ThrowsAsync<DiskStuckException>(() => DisposeAsync(server));
        Assert.Equal(_stuck.Path, error.Folder);
        foreach (var call in calls)
            Assert.True(await Record.ExceptionAsync(() => call) is null or DiskStuckException or ObjectDisposedException, $"{call.Exception}");
        Assert.Contains(calls, call => call.IsFaulted);
        await using (var again = TestServer.Open(_well.Path))
            Assert.Equal(3, (await again.AddService("one").Open("object")).Length);
        // The held request stays held, since it could write to the folder while the test deletes it.
        Assert.Throws<FolderInUseException>(() => TestServer.Open(_stuck.Path));
    }

    [Fact(Timeout = 60_000)]
    public async Task Disposal_without_calls_ends_beside_a_disk_that_does_not_answer_a_timed_write_back()
    {
        HeldDevice? held = null;
        var options = TestServer.Options(_stuck.Path) with { IoTimeLimit = s_limit, WriteBackAfter = TimeSpan.FromSeconds(1) };
        var server = ArgonServer.Open(options, _time, (_, device) => held = new HeldDevice(device));
        (await server.AddService("one").Create("object")).Write(0, new byte[10]);
        held!.Hold();
        _time.Advance(TimeSpan.FromSeconds(1));
        await held.Arrived;
        await Assert.ThrowsAsync<DiskStuckException>(() => DisposeAsync(server));
    }

    [Theory(Timeout = 60_000)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_disposal_of_a_handle_and_the_removal_of_a_service_end_beside_a_disk_that_does_not_answer(bool removal)
    {
        HeldDevice? held = null;
        var options = TestServer.Options(_stuck.Path) with { IoTimeLimit = s_limit, WriteBackAfter = 10 * s_limit };
        var server = ArgonServer.Open(options, _time, (_, device) => held = new HeldDevice(device));
        var service = server.AddService("one");
        var target = await service.Create("object");
        target.Write(0, [1, 2, 3]);
        held!.Hold();
        var end = removal ? server.RemoveServiceAsync(service, TestContext.Current.CancellationToken).AsTask() : target.DisposeAsync().AsTask();
        await held.Arrived;
        while (!end.IsCompleted)
        {
            TestContext.Current.CancellationToken.ThrowIfCancellationRequested();
            _time.Advance(s_limit / 2);
            await Task.Yield();
        }

        Assert.Equal(_stuck.Path, (await Assert.ThrowsAsync<DiskStuckException>(() => end)).Folder);
        held.Release();
        // The flush goes on, so the write is on the disk when the object is opened again.
        var open = server.AddService("other").Open("object");
        Assert.Equal(3, (await _time.PassAsync(open)).Length);
        await _time.PassAsync(server.DisposeAsync().AsTask());
    }

    [Theory(Timeout = 60_000)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_call_that_has_just_begun_does_not_give_up_for_another_objects_old_request(bool removal)
    {
        HeldDevice? held = null;
        var server = ArgonServer.Open(TestServer.Options(_stuck.Path) with { WriteBackAfter = 10 * s_limit }, _time, (_, device) => held = new HeldDevice(device));
        var (one, other) = (server.AddService("one"), server.AddService("other"));
        var stuck = await _time.PassAsync(one.Create("stuck"));
        var target = await _time.PassAsync(other.Create("object"));
        await _time.PassAsync(stuck.WriteAsync(0, new byte[10], TestContext.Current.CancellationToken).AsTask());
        await _time.PassAsync(target.WriteAsync(0, new byte[10], TestContext.Current.CancellationToken).AsTask());
        held!.Hold();
        var flush = stuck.FlushAsync(TestContext.Current.CancellationToken).AsTask();
        await _time.PassAsync(held.Arrived);
        _time.Advance(2 * s_limit);
        var watches = _time.Watching();
        var end = removal ? server.RemoveServiceAsync(other, TestContext.Current.CancellationToken).AsTask() : target.DisposeAsync().AsTask();
        await watches;
        _time.Advance(s_limit / 2);
        held.Release();
        await _time.PassAsync(end);
        await _time.PassAsync(flush);

        // The disposal has the time limit for itself, too.
        await _time.PassAsync(stuck.WriteAsync(0, new byte[10], TestContext.Current.CancellationToken).AsTask());
        held.Hold();
        flush = stuck.FlushAsync(TestContext.Current.CancellationToken).AsTask();
        await _time.PassAsync(held.Arrived);
        _time.Advance(2 * s_limit);
        watches = _time.Watching();
        end = server.DisposeAsync().AsTask();
        await watches;
        _time.Advance(s_limit / 2);
        held.Release();
        await _time.PassAsync(end);
        await flush;
    }

    [Fact]
    public async Task A_capped_disk_answers_when_the_cap_allows_it()
    {
        var disk = TestServer.Options(_well.Path).Disks[0] with { MostRequestsPerSecond = 10 };
        var server = ArgonServer.Open(TestServer.Options(_well.Path) with { Disks = [disk] }, _time);
        var target = await _time.PassAsync(server.AddService("one").Create("object"));
        await _time.PassAsync(target.WriteAsync(0, new byte[100], TestContext.Current.CancellationToken).AsTask());
        var start = _time.GetTimestamp();
        await _time.PassAsync(target.FlushAsync(TestContext.Current.CancellationToken).AsTask());

        // The flush consists of a write and a sync. At 10 requests/s each takes 0.1 s.
        Assert.True(_time.GetElapsedTime(start) >= TimeSpan.FromSeconds(0.2), $"{_time.GetElapsedTime(start)}");
        await _time.PassAsync(server.DisposeAsync().AsTask());
    }

    // Begins the disposal, and lets the time pass after which it gives up. Then short turns pass, since the flush of the other disk waits for them.
    private async Task DisposeAsync(ArgonServer server)
    {
        var watches = _time.Watching();
        var disposal = server.DisposeAsync().AsTask();
        await watches;
        _time.Advance(1.3 * s_limit);
        await _time.PassAsync(disposal, TimeSpan.FromMilliseconds(1));
    }

    [Fact]
    public void Caps_book_the_larger_of_a_requests_two_times_one_after_the_other()
    {
        var device = new CappedDevice(new FileDevice(), requestsPerSecond: 500, bytesPerSecond: 100e6, _time);
        Assert.Equal(TimeSpan.FromMilliseconds(2), device.Book(4096, TimeSpan.Zero));
        Assert.Equal(TimeSpan.FromMilliseconds(12), device.Book(1_000_000, TimeSpan.Zero));
        Assert.Equal(TimeSpan.FromSeconds(1.002), device.Book(0, TimeSpan.FromSeconds(1)));
        var cost = new DeviceCost(TimeSpan.FromMicroseconds(100), 1e9).Capped(500, 100e6);
        Assert.Equal(new DeviceCost(TimeSpan.FromMilliseconds(2), 100e6), cost);
    }
}
