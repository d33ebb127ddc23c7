using System.ComponentModel;
using System.Diagnostics;

namespace Stout.Sqlite.Tests;

/// <summary>A file system of 2 MiB. If the tests must not mount one, the test is skipped.</summary>
internal sealed class SmallDisk : IDisposable
{
    private readonly TemporaryDirectory _directory = new();

    public string Path => _directory.Path;

    public static SmallDisk Mount()
    {
        var disk = new SmallDisk();
        if (Run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", disk.Path))
            return disk;
        disk._directory.Dispose();
        Assert.Skip("A small file system can't be mounted here.");
        return disk;
    }

    public void Dispose()
    {
        Run("umount", Path);
        _directory.Dispose();
    }

    private static bool Run(string program, params string[] arguments)
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardError = true });
            process!.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }
}
