namespace Stout.Sqlite.Setup;

/// <summary>Makes files with the rights that the options say. The system makes none where something has the name already, be it a link that leads nowhere.</summary>
internal static class OwnFile
{
    /// <summary>Makes an empty file and keeps it open, with no other handle beside it.</summary>
    /// <param name="path">Its name.</param>
    /// <param name="mode">Its mode; the process's umask may take rights away. Windows has no such modes.</param>
    /// <exception cref="IOException">There is something of this name.</exception>
    public static FileStream Create(string path, UnixFileMode mode)
    {
        var how = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.ReadWrite, Share = FileShare.None, BufferSize = 0 };
        if (!OperatingSystem.IsWindows())
            how.UnixCreateMode = mode;
        return new FileStream(path, how);
    }
}
