using System.Diagnostics;

namespace Stout.Argon.Tests.Engine;

/// <summary>A file system in memory or in an image. If the tests must not mount one, the test is skipped.</summary>
internal sealed class MountedFolder : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly TemporaryFolder? _images;
    private readonly bool _mounted;

    private MountedFolder(int mebibytes)
    {
        _images = new TemporaryFolder();
        var image = System.IO.Path.Combine(_images.Path, "image");
        using (var file = File.Create(image))
            file.SetLength((long)mebibytes << 20);
        _mounted = Run("mkfs.ext4", "-q", "-F", "-m", "0", image) && Run("mount", "-o", "loop", image, _folder.Path);
        if (_mounted)
            return;
        Dispose();
        Assert.Skip("An image of ext4 can't be mounted here: that needs root, mkfs.ext4 and a loop device.");
    }

    /// <param name="type">The file system.</param>
    /// <param name="options">The options of mount.</param>
    public MountedFolder(string type, string options)
    {
        _mounted = Run("mount", "-t", type, "-o", options, type, _folder.Path);
        if (_mounted)
            return;
        _folder.Dispose();
        Assert.Skip($"A file system of type {type} can't be mounted here.");
    }

    public string Path => _folder.Path;

    /// <summary>A file system of 4 MiB.</summary>
    public static MountedFolder Small() => new("tmpfs", "size=4m");

    /// <summary>An ext4 of a size in MiB, on an image.</summary>
    public static MountedFolder Ext4(int mebibytes) => new(mebibytes);

    /// <summary>A file system without direct I/O: Linux does not support it on ramfs.</summary>
    public static MountedFolder WithoutDirectIo() => new("ramfs", "mode=0755");

    public void Dispose()
    {
        if (_mounted)
            Run("umount", "-l", Path);
        if (_mounted || _images is not null)
            _folder.Dispose();
        _images?.Dispose();
    }

    private static bool Run(string program, params string[] arguments)
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardError = true, RedirectStandardOutput = true });
            process!.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return false;
        }
    }
}
