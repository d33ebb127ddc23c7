using Stout.Argon.Configuration;
using Stout.Argon.Devices;
using Stout.Argon.Engine;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Tests.Engine;

/// <summary>Handles, objects, services and callers end, and give back what they have taken.</summary>
public sealed class LifetimeTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Three_hundred_small_objects_take_little_space_and_no_file_handles_after_their_disposal()
    {
        await using var server = TestServer.Open(_folder.Path);
        var service = server.AddService("one");
        for (var i = 0; i < 300; i++)
        {
            await using var target = await service.Create($"{i}");
            target.Write(0, new byte[10]);
        }

        Assert.True(Sizes() <= 300 * 3 * 4096, $"{Sizes()} bytes");
        Assert.Equal(0, OpenFiles());
        await using var read = await service.Open("299");
        Assert.Equal(10, read.Length);
        Assert.Equal(1, OpenFiles());
    }

    [Fact]
    public async Task An_open_object_of_ten_bytes_takes_less_than_16_KiB_and_disposal_of_the_server_trims_it()
    {
        await using (var server = TestServer.Open(_folder.Path))
        {
            (await server.AddService("one").Create("object")).Write(0, new byte[10]);
            Assert.True(Sizes() <= 16 << 10, $"{Sizes()} bytes");
        }

        Assert.Equal(3 * 4096, Sizes());
    }

    [Fact]
    public async Task A_closed_handle_fails_and_another_handle_goes_on()
    {
        await using var server = TestServer.Open(_folder.Path);
        var service = server.AddService("one");
        var (one, other) = (await service.Create("object"), await service.Open("object"));
        one.Write(0, [1, 2, 3]);
        await one.DisposeAsync();
        await one.DisposeAsync();
        Assert.Throws<ObjectDisposedException>(() => one.Write(0, [4]));
        Assert.Throws<ObjectDisposedException>(() => one.Read(0, new byte[1]));
        Assert.Throws<ObjectDisposedException>(() => one.Resize(1));
        Assert.Throws<ObjectDisposedException>(one.Flush);
        Assert.Equal(3, other.Read(0, new byte[3]));
        await other.DisposeAsync();
        Assert.Equal(0, OpenFiles());
    }

    [Fact]
    public async Task Handles_on_a_deleted_object_fail_with_that_reason_and_a_new_object_is_empty()
    {
        await using var server = TestServer.Open(_folder.Path);
        var service = server.AddService("one");
        var old = await service.Create("object");
        old.Write(0, new byte[10_000]);
        await service.Delete("object");
        Assert.Throws<ObjectDeletedException>(() => old.Read(0, new byte[1]));
        Assert.Throws<ObjectDeletedException>(() => old.Write(0, [1]));
        Assert.Throws<ObjectDeletedException>(() => old.Resize(0));
        Assert.Throws<ObjectDeletedException>(old.Flush);
        await using var target = await service.Create("object");
        Assert.Equal(0, target.Length);
        target.Write(0, [1]);
        await old.DisposeAsync();
        Assert.Equal(1, target.Read(0, new byte[2]));
    }

    [Fact(Timeout = 60_000)]
    public async Task Writers_beside_deletes_and_creates_get_typed_errors_and_the_server_ends()
    {
        var server = TestServer.Open(_folder.Path);
        var service = server.AddService("one");
        await service.Create("object");
        var ended = false;
        var writers = Enumerable.Range(0, 3).Select(_ => Task.Run(async () =>
        {
            while (!Volatile.Read(ref ended))
            {
                try
                {
                    await using var handle = await service.Open("object");
                    for (var i = 0; i < 50; i++)
                        await handle.WriteAsync(i * 4096, new byte[5000], Token);
                }
                catch (ArgonException error) when (error is ObjectNotFoundException or ObjectDeletedException)
                {
                }
            }
        })).ToList();
        for (var i = 0; i < 200; i++)
        {
            await service.Delete("object");
            await service.Create("object");
        }

        Volatile.Write(ref ended, true);
        await Task.WhenAll(writers);
        await server.DisposeAsync();
    }

    [Fact(Timeout = 60_000)]
    public async Task An_error_inside_the_core_answers_all_callers_and_the_server_ends()
    {
        HeldDevice? held = null;
        var server = ArgonServer.Open(TestServer.Options(_folder.Path), null, (_, device) => held = new HeldDevice(device));
        var service = server.AddService("one");
        var target = await service.Create("object");
        target.Write(0, new byte[4096]);
        held!.Hold();
        var flush = target.FlushAsync(Token).AsTask();
        await held.Arrived;
        // Such an error stands for a mistake in the core.
        Assert.Throws<EngineFailedException>(() => server.Ask<int>((_, _, _) => throw new KeyNotFoundException(), 0, blocking: true));
        Assert.IsType<KeyNotFoundException>((await Assert.ThrowsAsync<EngineFailedException>(() => flush)).InnerException);
        Assert.Throws<EngineFailedException>(() => target.Write(0, [1]));
        await Assert.ThrowsAsync<EngineFailedException>(() => service.Create("another"));
        Assert.Throws<EngineFailedException>(() => server.AddService("another"));
        held.Release();
        await server.DisposeAsync();
    }

    [Fact]
    public async Task Memory_of_a_caller_that_throws_leaves_no_block_reserved()
    {
        await using var server = TestServer.Open(_folder.Path);
        var target = await server.AddService("one").Create("object");
        target.Write(0, new byte[8192]);
        using var memory = new ThrowingMemory();
        await Assert.ThrowsAsync<NotSupportedException>(() => target.WriteAsync(4096, memory.Memory, Token).AsTask());
        await Assert.ThrowsAsync<NotSupportedException>(() => target.WriteAsync(20 * 4096, memory.Memory, Token).AsTask());
        await Assert.ThrowsAsync<NotSupportedException>(() => target.ReadAsync(0, memory.Memory, Token).AsTask());
        Assert.Equal(8192, target.Length);
        target.Write(4096, [1]);
        target.Resize(30 * 4096);
        var read = new byte[4096];
        target.Read(20 * 4096, read);
        Assert.True(read.AsSpan().IndexOfAnyExcept((byte)0) < 0);
    }

    [Fact]
    public void A_write_whose_load_fails_leaves_no_block_of_foreign_bytes()
    {
        var core = new ArgonCore(new CoreSettings { Frames = 256 });
        core.AddDisk(new DeviceCost(TimeSpan.FromMilliseconds(1), 1e8));
        var service = core.AddService(1, default);
        var target = core.Open(1, 0, 10 * 4096);
        core.Write(service, target, 0, 4, partialFirst: true, partialLast: false, 4 * 4096, default);
        core.IoDone(Assert.Single(core.Issued), new IOException("planted"), default);
        var write = Assert.Single(core.Completed);
        Assert.NotNull(write.Error);
        core.Release(write, default);
        Assert.All(Enumerable.Range(0, 4), block => Assert.Equal(-1, core.FrameOf(1, block)));
        Assert.Equal((0, 0), (service.Partition.Used, service.Pinned));
    }

    [Fact]
    public async Task A_removed_service_leaves_its_cache_to_the_others_and_its_objects_on_the_disk()
    {
        await using var server = TestServer.Open(_folder.Path);
        var (one, other) = (server.AddService("one"), server.AddService("other"));
        var target = await one.Create("object");
        var shared = await other.Open("object");
        target.Write(0, new byte[200_000]);
        var before = other.Report().PartitionBytes;
        await server.RemoveServiceAsync(one, Token);
        Assert.Equal(1 << 20, other.Report().PartitionBytes);
        Assert.True(before < 1 << 20);
        Assert.Throws<ObjectDisposedException>(() => target.Read(0, new byte[1]));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => one.Open("object"));
        Assert.Throws<ObjectDisposedException>(() => one.Weight = 2);
        Assert.Equal(200_000, shared.Length);
        Assert.Equal(1, shared.Read(0, new byte[1]));
        Assert.Single(server.Forecast(new WhatIf()));
        for (var i = 0; i < 10; i++)
            await server.RemoveServiceAsync(server.AddService($"guest {i}"), Token);
        await server.RemoveServiceAsync(other, Token);
        Assert.Equal(0, OpenFiles());
    }

    [Fact]
    public void A_removed_service_has_no_frame_left_after_the_writes_of_its_dirty_blocks()
    {
        var core = new ArgonCore(new CoreSettings { Frames = 4096 });
        core.AddDisk(new DeviceCost(TimeSpan.FromMilliseconds(1), 1e8));
        var (one, other) = (core.AddService(1, default), core.AddService(1, default));
        var target = core.Open(1, 0, 0);
        var now = TimeSpan.Zero;
        for (var block = 0; block < 900; block++)
        {
            core.Write(one, target, block * 3, 1, false, false, ((block * 3) + 1) * 4096L, now);
            CoreRun.Carry(core, ref now);
        }

        var removal = core.Remove(one, now);
        while (!removal.Done)
        {
            core.Tick(now);
            foreach (var io in core.Issued.ToArray())
            {
                core.Issued.Remove(io);
                core.IoDone(io, null, now += TimeSpan.FromMilliseconds(1));
            }
        }

        Assert.Equal((0, 4096), (one.Partition.Used, other.Partition.Target));
        Assert.Equal([other], core.Services);
        Assert.Empty(target.Dirty);
    }

    [Fact]
    public void Services_that_send_nothing_leave_their_trial_and_its_cache()
    {
        var core = new ArgonCore(new CoreSettings { Frames = 16_384, Trial = TimeSpan.FromSeconds(10) });
        core.AddDisk(new DeviceCost(TimeSpan.FromMilliseconds(1), 1e8));
        var (busy, idle) = (core.AddService(1, default), Enumerable.Range(0, 2).Select(_ => core.AddService(1, default)).ToList());
        var target = core.Open(1, 0, 1L << 30);
        var now = TimeSpan.Zero;
        for (var i = 0; now < TimeSpan.FromSeconds(40); i++)
        {
            now += TimeSpan.FromMilliseconds(20);
            if (core.NextTick <= now)
                core.Tick(now);
            core.Read(busy, target, i * 37 % 100_000, 1, now);
            CoreRun.Carry(core, ref now);
        }

        Assert.All(idle, service => Assert.Equal((ServiceStatus.Idle, ArgonCore.LeastPartition), (service.Status, service.Partition.Target)));
        Assert.Equal(16_384 - (2 * ArgonCore.LeastPartition), busy.Partition.Target);
        core.Read(idle[0], target, 0, 1, now);
        Assert.Equal(ServiceStatus.Trial, idle[0].Status);
        Assert.True(idle[0].Partition.Target > 10 * ArgonCore.LeastPartition);
    }

    [Fact]
    public void A_trial_with_few_references_ends_too()
    {
        var core = new ArgonCore(new CoreSettings { Frames = 4096, Trial = TimeSpan.FromSeconds(10) });
        core.AddDisk(new DeviceCost(TimeSpan.FromMilliseconds(1), 1e8));
        var service = core.AddService(1, default);
        var target = core.Open(1, 0, 1L << 30);
        var now = TimeSpan.Zero;
        for (var i = 0; i < 20; i++)
        {
            now += TimeSpan.FromSeconds(5);
            core.Tick(now);
            core.Read(service, target, i, 1, now);
            CoreRun.Carry(core, ref now);
        }

        Assert.Equal(ServiceStatus.Insulated, service.Status);
    }

    [Fact]
    public void A_resize_examines_the_blocks_of_its_object_and_not_the_cache()
    {
        var core = new ArgonCore(new CoreSettings { Frames = 1536 << 8 });
        core.AddDisk(new DeviceCost(TimeSpan.FromMilliseconds(1), 1e9));
        var service = core.AddService(1, default);
        var (full, small) = (core.Open(1, 0, 1L << 32), core.Open(2, 0, 8 * 4096));
        var now = TimeSpan.Zero;
        for (var block = 0; block < 1 << 17; block += 32)
        {
            core.Read(service, full, block, 32, now);
            CoreRun.Carry(core, ref now);
        }

        core.Read(service, small, 0, 8, now);
        CoreRun.Carry(core, ref now);
        core.Resize(service, small, 0, now);
        CoreRun.Carry(core, ref now);
        Assert.Equal(8, core.Examined);
        Assert.True(service.Partition.Used > 1 << 17);
    }

    [Fact]
    public void Two_services_that_stream_one_object_are_two_streams()
    {
        var core = new ArgonCore(new CoreSettings { Frames = 4096 });
        core.AddDisk(new DeviceCost(TimeSpan.FromMilliseconds(10), 1e8));
        var (one, other) = (core.AddService(1, default), core.AddService(1, default));
        var target = core.Open(1, 0, 1L << 30);
        var now = TimeSpan.Zero;
        for (var i = 0; i < 40; i++)
        {
            core.Read(one, target, i * 8, 8, now);
            CoreRun.Carry(core, ref now);
            core.Read(other, target, 100_000 + (i * 8), 8, now);
            CoreRun.Carry(core, ref now);
        }

        Assert.Equal((1, 1), (one.MostStreams, other.MostStreams));
        Assert.All(new[] { one, other }, service => Assert.True(service.Counters.BlocksRead > service.Counters.References, "it is not read ahead"));
    }

    private long Sizes() => Directory.EnumerateFiles(_folder.Path, "*.argon").Sum(path => new FileInfo(path).Length);

    private int OpenFiles() => Directory.EnumerateFiles("/proc/self/fd").Count(link => new FileInfo(link).LinkTarget is { } target && target.StartsWith(_folder.Path, StringComparison.Ordinal) && target.EndsWith(".argon", StringComparison.Ordinal));
}
