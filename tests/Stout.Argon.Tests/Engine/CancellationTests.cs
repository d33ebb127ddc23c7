using Stout.Argon.Engine;

namespace Stout.Argon.Tests.Engine;

/// <summary>A canceled call is answered at once, also while the disk does not answer, and leaves nothing behind.</summary>
public sealed class CancellationTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly SteppedTime _time = new();
    private HeldDevice? _held;

    public void Dispose() => _folder.Dispose();

    [Fact(Timeout = 60_000)]
    public async Task Every_call_is_answered_while_the_disk_holds_its_request()
    {
        var server = Open();
        var service = server.AddService("one");
        var target = await service.Create("object");
        target.Write(0, new byte[2 << 20]);
        target.Flush();
        target.Write(1 << 20, [1]);
        _held!.Hold();
        using var cancel = new CancellationTokenSource();
        List<Task> calls =
        [
            target.ReadAsync(0, new byte[300_000], cancel.Token).AsTask(),
            target.WriteAsync(100_001, new byte[10], cancel.Token).AsTask(),
            target.WriteAsync(9 << 20, new byte[10], cancel.Token).AsTask(),
            target.FlushAsync(cancel.Token).AsTask(),
            target.ResizeAsync(5, cancel.Token).AsTask(),
            target.ReadAsync(0, new byte[10], cancel.Token).AsTask(),
            service.CreateAsync("another", 0, cancel.Token).AsTask(),
            service.OpenAsync("none", 0, cancel.Token).AsTask(),
            service.DeleteAsync("none", 0, cancel.Token).AsTask(),
            service.ListAsync(0, cancel.Token).AsTask(),
        ];
        Assert.DoesNotContain(calls, call => call.IsCompleted);
        await cancel.CancelAsync();
        foreach (var call in calls)
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        _held.Release();
        // The resize that was canceled may or may not have begun. Everything else is as before, and the server ends.
        var bytes = new byte[10];
        await target.WriteAsync(0, new byte[] { 1, 2, 3 }, TestContext.Current.CancellationToken);
        Assert.Equal(3, await target.ReadAsync(0, bytes.AsMemory(0, 3), TestContext.Current.CancellationToken));
        Assert.Equal([1, 2, 3], bytes[..3]);
        await target.FlushAsync(TestContext.Current.CancellationToken);
        await target.DisposeAsync();
        await server.DisposeAsync();
    }

    [Fact(Timeout = 60_000)]
    public async Task Calls_that_are_canceled_again_and_again_leave_no_request_in_the_core()
    {
        await using var server = Open();
        var service = server.AddService("one");
        var target = await service.Create("object");
        target.Write(0, new byte[100_000]);
        _held!.Hold();
        var flush = target.FlushAsync(TestContext.Current.CancellationToken).AsTask();
        await _held.Arrived;
        var running = server.Look(core => core.Running);
        for (var i = 0; i < 100; i++)
        {
            using var cancel = new CancellationTokenSource();
            List<Task> calls = [target.FlushAsync(cancel.Token).AsTask(), target.WriteAsync(0, new byte[9], cancel.Token).AsTask(), target.WriteAsync(10 << 20, new byte[9], cancel.Token).AsTask()];
            await cancel.CancelAsync();
            foreach (var call in calls)
                await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        }

        Assert.Equal(running, server.Look(core => core.Running));
        _held.Release();
        await flush;
        Assert.Equal(100_000, target.Length);
    }

    [Theory(Timeout = 60_000)]
    [InlineData(DiskSharing.Quanta)]
    [InlineData(DiskSharing.AtOnce)]
    public async Task More_stuck_objects_than_the_queue_depth_stop_no_other_service(DiskSharing sharing)
    {
        var options = TestServer.Options(_folder.Path);
        var server = ArgonServer.Open(options with { Disks = [options.Disks[0] with { Sharing = sharing }] }, _time, (_, device) => _held = new HeldDevice(device));
        var (one, other) = (server.AddService("one"), server.AddService("other"));
        List<ArgonObject> objects = [];
        for (var i = 0; i < options.Disks[0].QueueDepth + 2; i++)
        {
            objects.Add(await _time.PassAsync(one.Create($"{i}")));
            await _time.PassAsync(objects[i].WriteAsync(0, new byte[10_000], TestContext.Current.CancellationToken).AsTask());
        }

        _held!.Hold(io => objects.Exists(each => ReferenceEquals(io.Object, each.Target)));
        var flushes = objects.ConvertAll(each => each.FlushAsync(TestContext.Current.CancellationToken).AsTask());
        await _time.PassAsync(_held.Arrived);
        var target = await _time.PassAsync(other.Create("object"));
        await _time.PassAsync(target.WriteAsync(0, new byte[10_000], TestContext.Current.CancellationToken).AsTask());
        await _time.PassAsync(target.FlushAsync(TestContext.Current.CancellationToken).AsTask());
        Assert.DoesNotContain(flushes, flush => flush.IsCompleted);
        _held.Release();
        await _time.PassAsync(Task.WhenAll(flushes));
        await _time.PassAsync(server.DisposeAsync().AsTask());
    }

    [Fact(Timeout = 60_000)]
    public async Task One_objects_stuck_request_stops_no_other_object()
    {
        var server = ArgonServer.Open(TestServer.Options(_folder.Path), _time, (_, device) => _held = new HeldDevice(device));
        var (one, other) = (server.AddService("one"), server.AddService("other"));
        var stuck = await one.Create("stuck");
        stuck.Write(0, new byte[10_000]);
        _held!.Hold(io => ReferenceEquals(io.Object, stuck.Target));
        var flush = stuck.FlushAsync(TestContext.Current.CancellationToken).AsTask();
        await _held.Arrived;
        var calls = Task.Run(async () =>
        {
            foreach (var service in new[] { one, other })
            {
                await using (var target = await service.Create("object"))
                {
                    await target.WriteAsync(0, new byte[10_000], TestContext.Current.CancellationToken);
                    await target.FlushAsync(TestContext.Current.CancellationToken);
                }

                await using (await service.Open("object"))
                {
                }

                await service.Delete("object");
            }
        }, TestContext.Current.CancellationToken);
        await _time.PassAsync(calls);
        Assert.False(flush.IsCompleted);
        _held.Release();
        // The flush, and the end of the server, need the turns that follow.
        await _time.PassAsync(flush);
        await _time.PassAsync(server.DisposeAsync().AsTask());
    }

    private ArgonServer Open() => ArgonServer.Open(TestServer.Options(_folder.Path), null, (_, device) => _held = new HeldDevice(device));
}
