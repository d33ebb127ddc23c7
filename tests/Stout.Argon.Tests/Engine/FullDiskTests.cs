using Stout.Argon.Exceptions;

namespace Stout.Argon.Tests.Engine;

/// <summary>A full disk fails the write, and no flush after it.</summary>
public sealed class FullDiskTests
{
    [Fact]
    public async Task A_full_disk_fails_the_write_and_never_a_later_flush()
    {
        using var disk = MountedFolder.Small();
        using var server = TestServer.Open(disk.Path);
        var target = await server.AddService("one").Create("object");
        var bytes = new byte[100_000];
        Array.Fill(bytes, (byte)7);
        var written = 0L;
        while (Record.Exception(() => target.Write(written, bytes)) is not DiskFullException)
            written += bytes.Length;
        Assert.InRange(written, 1_000_000, 4 << 20);
        Assert.Equal(written, target.Length);
        Assert.Throws<DiskFullException>(() => target.Resize(10 << 20));
        target.Flush();
        target.Write(0, bytes);
        target.Flush();
        Assert.Equal(bytes.Length, target.Read(written - bytes.Length, bytes));
        Assert.True(bytes.AsSpan().IndexOfAnyExcept((byte)7) < 0);
    }
}
