using System.Diagnostics;

namespace Stout.Argon.Tests.Engine;

/// <summary>A file system of 4 MiB, where the tests may mount one.</summary>
internal sealed class SmallDisk : IDisposable
{
    private readonly TemporaryFolder _folder = new();
    private readonly bool _mounted;

    public SmallDisk()
    {
        _mounted = Run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", _folder.Path);
        if (_mounted)
            return;
        _folder.Dispose();
        Assert.Skip("A small file system can't be mounted here.");
    }

    public string Path => _folder.Path;

    public void Dispose()
    {
        if (!_mounted)
            return;
        Run("umount", Path);
        _folder.Dispose();
    }

    private static bool Run(string program, params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardError = true });
        process!.WaitForExit();
        return process.ExitCode == 0;
    }
}
