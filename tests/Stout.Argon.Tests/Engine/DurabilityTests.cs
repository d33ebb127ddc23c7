using Stout.Argon.Devices;
using Stout.Argon.Engine;
using Stout.Argon.Exceptions;

namespace Stout.Argon.Tests.Engine;

/// <summary>Lengths and data are durable after the events that promise it, also after a crash and with slow devices.</summary>
public sealed class DurabilityTests : IDisposable
{
    private static readonly byte[] s_block = [.. Enumerable.Repeat((byte)7, 4096)];
    private readonly TemporaryFolder _folder = new();
    private readonly TemporaryFolder _copies = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose()
    {
        _folder.Dispose();
        _copies.Dispose();
    }

    [Fact]
    public async Task Disposal_makes_a_longer_length_durable()
    {
        await using (var server = TestServer.Open(_folder.Path))
            (await server.AddService("one").Create("object")).Resize(100_000);
        await using var again = TestServer.Open(_folder.Path);
        Assert.Equal(100_000, (await again.AddService("one").Open("object")).Length);
    }

    [Fact]
    public async Task Disposal_makes_data_durable_that_eviction_has_written_back()
    {
        const int Length = 4 << 20;
        await using (var server = TestServer.Open(_folder.Path))
        {
            var service = server.AddService("one");
            var target = await service.Create("object");
            for (var offset = 0L; offset < Length; offset += s_block.Length)
                target.Write(offset, s_block);
            // The reads evict all blocks of the first object.
            var other = await service.Create("other");
            other.Resize(Length);
            for (var offset = 0L; offset < Length; offset += s_block.Length)
                other.Read(offset, new byte[4096]);
        }

        await using var again = TestServer.Open(_folder.Path);
        var read = await again.AddService("one").Open("object");
        Assert.Equal(Length, read.Length);
        Assert.Equal(Length, CountOf(read, 7));
    }

    [Fact]
    public async Task A_longer_length_behind_a_shorter_one_has_space_on_the_disk()
    {
        HeldDevice? held = null;
        await using (var server = ArgonServer.Open(TestServer.Options(_folder.Path), null, (_, device) => held = new HeldDevice(device)))
        {
            var target = await server.AddService("one").Create("object");
            target.Write(0, new byte[100_000]);
            held!.Hold(io => io.Kind == DiskIoKind.Resize);
            var shorter = target.ResizeAsync(10, Token).AsTask();
            await held.Arrived;
            var longer = target.ResizeAsync(100_000, Token).AsTask();
            held.Release();
            await shorter;
            await longer;
            Assert.InRange(new FileInfo(Path.Combine(_folder.Path, "object.argon")).Length, ObjectFile.HeaderBytes + 100_000, long.MaxValue);
        }

        await using var again = TestServer.Open(_folder.Path);
        Assert.Equal(100_000, (await again.AddService("one").Open("object")).Length);
    }

    [Fact]
    public async Task The_later_of_two_lengths_stays_on_the_disk_in_whatever_order_the_disk_answers()
    {
        HeldDevice? held = null;
        await using (var server = ArgonServer.Open(TestServer.Options(_folder.Path), null, (_, device) => held = new HeldDevice(device)))
        {
            var target = await server.AddService("one").Create("object");
            target.Write(0, new byte[100]);
            DiskIo? first = null;
            held!.Hold(io => io.Kind == DiskIoKind.Sync && Interlocked.CompareExchange(ref first, io, null) is { } other && other == io || first == io);
            var one = target.FlushAsync(Token).AsTask();
            await held.Arrived;
            target.Write(100, new byte[100]);
            var two = target.FlushAsync(Token).AsTask();
            // Either the second sync waits for the first, or, with a fault, it overtakes the first.
            while (!two.IsCompleted && server.Look(_ => target.Target.Syncs.Count) == 0)
                await Task.Yield();
            held.Release();
            await Task.WhenAll(one, two);
            File.Copy(Path.Combine(_folder.Path, "object.argon"), Path.Combine(_copies.Path, "object.argon"));
        }

        await using var again = TestServer.Open(_copies.Path);
        Assert.Equal(200, (await again.AddService("one").Open("object")).Length);
    }

    [Fact]
    public void An_object_has_one_sync_at_the_device_and_the_waiting_flushes_share_the_next()
    {
        var core = new ArgonCore(new CoreSettings { Frames = 256 });
        core.AddDisk(new Stout.Argon.Devices.DeviceCost(TimeSpan.FromMilliseconds(1), 1e8));
        var service = core.AddService(1, default);
        var target = core.Open(1, 0, 0);
        var now = TimeSpan.Zero;
        core.Resize(service, target, 100, now);
        CoreRun.Carry(core, ref now);
        core.Flush(service, target, now);
        var sync = Assert.Single(core.Issued);
        core.Issued.Clear();
        core.Resize(service, target, 200, now);
        for (var i = 0; i < 3; i++)
            core.Flush(service, target, now);
        Assert.Empty(core.Issued);
        core.IoDone(sync, null, now);
        // The resize waits for the first flush, and the three flushes wait for the resize.
        ReleaseOne(RequestKind.Flush);
        ReleaseOne(RequestKind.Resize);
        var next = Assert.Single(core.Issued);
        core.Issued.Clear();
        Assert.Equal((200, 1), (next.Length, next.Waiters.Count));
        core.IoDone(next, null, now);
        ReleaseOne(RequestKind.Flush);
        Assert.Equal(2, Assert.Single(core.Issued).Waiters.Count);

        void ReleaseOne(RequestKind kind)
        {
            var request = Assert.Single(core.Completed);
            Assert.Equal(kind, request.Kind);
            core.Completed.Clear();
            core.Release(request, now);
        }
    }

    [Fact]
    public async Task A_gap_reads_as_zeros_after_a_crash_with_unflushed_blocks_on_the_disk()
    {
        await using (var server = TestServer.Open(_folder.Path))
        {
            var target = await server.AddService("one").Create("object");
            target.Write(0, s_block);
            target.Flush();
            for (var block = 1; block < 1024; block++)
                target.Write(block * 4096L, s_block);
            // The copy is the file as after a crash. Eviction has written most of the unflushed blocks.
            File.Copy(Path.Combine(_folder.Path, "object.argon"), Path.Combine(_copies.Path, "object.argon"));
        }

        Assert.Contains(File.ReadAllBytes(Path.Combine(_copies.Path, "object.argon")).Skip(12_288), value => value == 7);
        await using var again = TestServer.Open(_copies.Path);
        var read = await again.AddService("one").Open("object");
        Assert.Equal(4096, read.Length);
        read.Resize(4 << 20);
        Assert.Equal(4096, CountOf(read, 7));
    }

    [Fact]
    public async Task An_unflushed_object_is_on_the_disk_after_its_time()
    {
        var time = new SteppedTime();
        await using var server = ArgonServer.Open(TestServer.Options(_folder.Path) with { WriteBackAfter = TimeSpan.FromSeconds(10) }, time);
        var target = await server.AddService("one").Create("object");
        target.Write(0, s_block);
        time.Advance(TimeSpan.FromSeconds(9.9));
        Assert.True(target.Target.Unflushed);
        time.Advance(TimeSpan.FromSeconds(0.2));
        while (server.Look(_ => target.Target.Unflushed))
        {
            time.Advance(TimeSpan.FromMilliseconds(10));
            await Task.Yield();
        }

        File.Copy(Path.Combine(_folder.Path, "object.argon"), Path.Combine(_copies.Path, "object.argon"));
        await using var again = TestServer.Open(_copies.Path);
        Assert.Equal(4096, CountOf(await again.AddService("one").Open("object"), 7));
    }

    [Fact]
    public async Task Settings_of_an_open_server_do_not_change()
    {
        var options = TestServer.Options(_folder.Path);
        await using var server = ArgonServer.Open(options);
        options.MemoryHasBattery = true;
        server.Options.MemoryHasBattery = true;
        server.Options.Disks[0].Folder = "elsewhere";
        Assert.False(server.Options.MemoryHasBattery);
        Assert.Equal(_folder.Path, server.Options.Disks[0].Folder);
        Assert.Equal(_folder.Path, server.Health()[0].Folder);
        var target = await server.AddService("one").Create("object");
        target.Write(0, s_block);
        target.Flush();
        File.Copy(Path.Combine(_folder.Path, "object.argon"), Path.Combine(_copies.Path, "object.argon"));
        await using var again = TestServer.Open(_copies.Path);
        Assert.Equal(4096, (await again.AddService("one").Open("object")).Length);
    }

    [Fact]
    public async Task An_unfinished_file_of_a_crash_is_no_object()
    {
        File.WriteAllBytes(Path.Combine(_folder.Path, "object.argon.new"), []);
        await using var server = TestServer.Open(_folder.Path);
        var service = server.AddService("one");
        Assert.Empty(await service.List());
        Assert.False(File.Exists(Path.Combine(_folder.Path, "object.argon.new")));
        await Assert.ThrowsAsync<ObjectNotFoundException>(() => service.Open("object"));
        Assert.Equal(0, (await service.Create("object")).Length);
    }

    private static int CountOf(ArgonObject target, byte value)
    {
        var bytes = new byte[target.Length];
        Assert.Equal(bytes.Length, target.Read(0, bytes));
        return bytes.AsSpan().Count(value);
    }
}
