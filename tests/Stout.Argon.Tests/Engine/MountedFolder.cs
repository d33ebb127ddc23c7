using System.Diagnostics;

namespace Stout.Argon.Tests.Engine;

/// <summary>A file system in memory. If the tests must not mount one, the test is skipped.</summary>
internal sealed class MountedFolder : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly bool _mounted;

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

    /// <summary>A file system without direct I/O: Linux does not support it on ramfs.</summary>
    public static MountedFolder WithoutDirectIo() => new("ramfs", "mode=0755");

    public void Dispose()
    {
        if (!_mounted)
            return;
        Run("umount", "-l", Path);
        _folder.Dispose();
    }

    private static bool Run(string program, params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardError = true });
        process!.WaitForExit();
        return process.ExitCode == 0;
    }
}
