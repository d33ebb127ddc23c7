using Stout.Argon.Exceptions;

namespace Stout.Argon.Tests.Engine;

/// <summary>A full disk fails the call that needs space, and no flush after it. The neighbors keep the space that is left.</summary>
public sealed class FullDiskTests
{
    public static TheoryData<string> Systems => ["tmpfs", "ext4"];

    [Theory]
    [MemberData(nameof(Systems))]
    public async Task A_full_disk_fails_the_write_and_never_a_later_flush(string system)
    {
        using var disk = system == "ext4" ? MountedFolder.Ext4(8) : MountedFolder.Small();
        await using var server = TestServer.Open(disk.Path);
        var target = await server.AddService("one").Create("object");
        var bytes = new byte[100_000];
        Array.Fill(bytes, (byte)7);
        var written = 0L;
        while (Record.Exception(() => target.Write(written, bytes)) is not DiskFullException)
            written += bytes.Length;
        Assert.InRange(written, 1_000_000, 8 << 20);
        Assert.Equal(written, target.Length);
        Assert.Throws<DiskFullException>(() => target.Resize(10 << 20));
        target.Flush();
        target.Write(0, bytes);
        target.Flush();
        Assert.Equal(bytes.Length, target.Read(written - bytes.Length, bytes));
        Assert.True(bytes.AsSpan().IndexOfAnyExcept((byte)7) < 0);
    }

    [Theory]
    [MemberData(nameof(Systems))]
    public async Task A_write_that_finds_no_space_takes_none_from_its_neighbor(string system)
    {
        using var disk = system == "ext4" ? MountedFolder.Ext4(300) : new MountedFolder("tmpfs", "size=300m");
        await using var server = TestServer.Open(disk.Path);
        var greedy = await server.AddService("greedy").Create("object");
        var neighbor = await server.AddService("neighbor").Create("neighbor");
        var free = new DriveInfo(disk.Path).AvailableFreeSpace;
        Assert.Throws<DiskFullException>(() => greedy.Write(1L << 30, [1]));
        Assert.Throws<DiskFullException>(() => greedy.Resize(1L << 30));
        Assert.Equal(0, greedy.Length);
        Assert.Equal(free, new DriveInfo(disk.Path).AvailableFreeSpace);
        neighbor.Write(0, new byte[10 << 20]);
        neighbor.Flush();
    }

    [Fact]
    public void A_failed_allocation_gives_back_the_space_that_it_took()
    {
        using var disk = MountedFolder.Ext4(300);
        using var file = Stout.Argon.Devices.ObjectFile.Create(Path.Combine(disk.Path, "object"), buffered: true);
        file.Reserve(1 << 20);
        var free = new DriveInfo(disk.Path).AvailableFreeSpace;
        // The check finds space that another program takes before the allocation.
        Assert.Throws<IOException>(() => file.Reserve(file.Reserved + (1L << 30), long.MaxValue, _ => long.MaxValue));
        // The file system may keep a block for the file's list of extents.
        Assert.InRange(new DriveInfo(disk.Path).AvailableFreeSpace, free - (64 << 10), free);
        file.Reserve(2 << 20);
    }

    [Theory]
    [MemberData(nameof(Systems))]
    public async Task A_create_on_a_full_disk_leaves_no_half_made_object(string system)
    {
        using var disk = system == "ext4" ? MountedFolder.Ext4(8) : MountedFolder.Small();
        await using var server = TestServer.Open(disk.Path);
        var service = server.AddService("one");
        var names = new List<string>();
        Exception? error = null;
        using (var filler = File.OpenHandle(Path.Combine(disk.Path, "filler"), FileMode.Create, FileAccess.Write))
        {
            for (var offset = 0L; error is null; offset += 4096)
                error = Record.Exception(() => RandomAccess.Write(filler, new byte[4096], offset));
        }

        for (error = null; error is null && names.Count < 10_000;)
        {
            error = await Record.ExceptionAsync(() => service.Create($"{names.Count}"));
            if (error is null)
                names.Add($"{names.Count}");
        }

        Assert.IsType<DiskFullException>(error);
        Assert.Equal(names.Order(StringComparer.Ordinal), await service.List());
        Assert.Empty(Directory.EnumerateFiles(disk.Path, "*.new"));
        File.Delete(Path.Combine(disk.Path, "filler"));
        (await service.Create($"{names.Count}")).Write(0, [1]);
    }
}
