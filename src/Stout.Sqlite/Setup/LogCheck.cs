using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Setup;

/// <summary>
/// Refuses a log that does not belong to its database file, before SQLite opens either. SQLite would replay the log on a backup that was copied over the file.
/// </summary>
internal static class LogCheck
{
    private const int FrameHeaderBytes = 24;

    /// <param name="database">The database file. No connection of this process has it open: closing it would release that connection's locks.</param>
    /// <exception cref="StoreException">The log belongs to another database file.</exception>
    public static void Run(string database)
    {
        var log = LogMark.LogOf(database);
        if (new FileInfo(LogMark.PathFor(log)).LinkTarget is not null)
            throw new StoreException(StoreErrorKind.LayoutMismatch, $"{ShownPath.Of(LogMark.PathFor(log))} is a symbolic link.");
        if (!File.Exists(log) || LogMark.Read(LogMark.PathFor(log)) is not { } mark)
            return;
        Span<byte> header = stackalloc byte[LogMark.HeaderBytes];
        using (var file = Open(database))
            header = header[..RandomAccess.Read(file, header, 0)];
        using (var file = Open(log))
        {
            if (header.SequenceEqual(mark.Header) || !IsOfMark(file, mark, out var pageBytes) || HasHeader(file, mark, pageBytes, header))
                return;
        }

        throw new StoreException(
            StoreErrorKind.LayoutMismatch,
            $"The database file {ShownPath.Of(database)} is another one than its log {ShownPath.Of(log)} belongs to: it was replaced, for instance by a backup, and the log was left beside it. "
            + "Nothing was changed. Keep both files. The section 'Backup and restore' of docs/running.md says how to restore a backup.");
    }

    private static SafeFileHandle Open(string path) => File.OpenHandle(path, share: FileShare.ReadWrite | FileShare.Delete);

    /// <summary>Whether the mark was written for this log.</summary>
    private static bool IsOfMark(SafeFileHandle log, in LogMark mark, out int pageBytes)
    {
        Span<byte> header = stackalloc byte[LogMark.LogHeaderBytes];
        var isWhole = RandomAccess.Read(log, header, 0) == header.Length;
        pageBytes = BinaryPrimitives.ReadInt32BigEndian(header[8..]);
        return isWhole && pageBytes >= 512 && BitConverter.ToUInt64(header[LogMark.SaltsInLog]) == mark.Salts;
    }

    /// <summary>
    /// Whether the log has a page 1 with this header, which a checkpoint may have copied. The frames' checksums are not compared: a frame that was not
    /// committed was not copied either, and accepting its header does no harm.
    /// </summary>
    private static bool HasHeader(SafeFileHandle log, in LogMark mark, int pageBytes, ReadOnlySpan<byte> header)
    {
        Span<byte> frame = stackalloc byte[FrameHeaderBytes + LogMark.HeaderBytes];
        for (long at = LogMark.LogHeaderBytes; RandomAccess.Read(log, frame, at) == frame.Length; at += FrameHeaderBytes + pageBytes)
        {
            var isPageOne = BinaryPrimitives.ReadInt32BigEndian(frame) == 1 && BitConverter.ToUInt64(frame[8..]) == mark.Salts;
            if (isPageOne && frame[FrameHeaderBytes..].SequenceEqual(header))
                return true;
        }

        return false;
    }
}
