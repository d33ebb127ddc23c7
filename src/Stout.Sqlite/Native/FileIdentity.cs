using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Stout.Sqlite.Native;

/// <summary>The identity of a file: its device and inode. A file that replaces another one has its own identity.</summary>
/// <param name="Device">The number of the device.</param>
/// <param name="Inode">The number of the file on the device.</param>
internal readonly partial record struct FileIdentity(ulong Device, ulong Inode)
{
    private const int CurrentDirectory = -100;
    private const int NoFollow = 0x100;
    private const int EmptyPath = 0x1000;
    private const uint InodeWanted = 0x100;

    /// <summary>The identity of the file of this name. A symbolic link is not followed: it has an identity of its own.</summary>
    /// <returns>
    /// The identity; null if the file is missing, or if the system is not a Linux with <c>statx</c>. Windows needs no identities, since an open file there
    /// can be neither deleted nor renamed.
    /// </returns>
    public static FileIdentity? Of(string path) => Ask(CurrentDirectory, path, NoFollow);

    /// <summary>The identity of an open file.</summary>
    /// <returns>The identity; null if the system does not provide one.</returns>
    public static FileIdentity? Of(SafeFileHandle file) => Ask((int)file.DangerousGetHandle(), "", EmptyPath);

    private static FileIdentity? Ask(int directory, string path, int flags)
    {
        try
        {
            return OperatingSystem.IsLinux() && Ask(directory, path, flags, InodeWanted, out var answer) == 0 ? answer.Identity : null;
        }
        catch (EntryPointNotFoundException)
        {
            return null; // The C library has no statx: glibc, for example, has it since version 2.28.
        }
    }

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Ask(int directory, string path, int flags, uint wanted, out Answer answer);

    /// <summary>Linux' struct statx: 256 bytes, with the same layout on every architecture.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private readonly struct Answer
    {
        [FieldOffset(32)]
        private readonly ulong _inode;

        [FieldOffset(136)]
        private readonly uint _deviceMajor;

        [FieldOffset(140)]
        private readonly uint _deviceMinor;

        public FileIdentity Identity => new(((ulong)_deviceMajor << 32) | _deviceMinor, _inode);
    }
}
