using Stout.Argon.Exceptions;

namespace Stout.Argon.Tests.Engine;

/// <summary>File systems without direct I/O.</summary>
public sealed class DirectIoTests
{
    [Fact]
    public async Task A_file_system_without_direct_io_is_a_typed_error_and_leaves_no_file()
    {
        using var folder = MountedFolder.WithoutDirectIo();
        var options = TestServer.Options(folder.Path);
        using (var strict = ArgonServer.Open(options with { Disks = [options.Disks[0] with { AllowBuffered = false }] }))
        {
            var service = strict.AddService("one");
            Assert.Equal(folder.Path, (await Assert.ThrowsAsync<DirectIoException>(() => service.Create("object"))).Folder);
            Assert.Empty(await service.List());
        }

        // The calibration of a new disk needs direct I/O as well.
        Assert.Throws<DirectIoException>(() => ArgonServer.Open(options with { Disks = [options.Disks[0] with { AllowBuffered = false, Cost = null }] }));
        Assert.Equal(["lock"], Directory.EnumerateFiles(folder.Path).Select(Path.GetFileName));

        using var server = ArgonServer.Open(options);
        var target = await server.AddService("one").Create("object");
        target.Write(5_000, [1, 2, 3]);
        target.Flush();
        var read = new byte[3];
        Assert.Equal(3, target.Read(5_000, read));
        Assert.Equal([1, 2, 3], read);
    }
}
