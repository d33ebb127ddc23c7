namespace Stout.Sqlite.Setup;

/// <summary>Creates files with the configured mode. Creation fails if the name exists, even as a dangling link.</summary>
internal static class OwnFile
{
    /// <summary>Creates an empty file and keeps it open exclusively.</summary>
    /// <param name="path">The file's path.</param>
    /// <param name="mode">The file's mode; the process's umask may remove rights. Windows ignores the mode.</param>
    /// <exception cref="IOException">The name exists.</exception>
    public static FileStream Create(string path, UnixFileMode mode)
    {
        var how = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.ReadWrite, Share = FileShare.None, BufferSize = 0 };
        if (!OperatingSystem.IsWindows())
            how.UnixCreateMode = mode;
        return new FileStream(path, how);
    }
}
