using System.Security.Cryptography;

namespace Stout.Sqlite.Native;

/// <summary>
/// A small file beside the write-ahead log, which names the database file that the log continues. It has the salts of the log's header, and the header that the
/// database file had when the log began.
/// </summary>
/// <remarks>
/// <para>SQLite replays a log on any database file of the matching name, even on a backup that was copied there. The header tells them apart: each opening of
/// the store, and the first change in each log, set a random schema cookie in it. <c>.backup</c> and <c>VACUUM INTO</c> write another cookie into their
/// copies, and an older copy of the file itself has an older one.</para>
/// <para>Only a checkpoint changes the database file, and it copies pages of the log. So the file's header is always the one in the mark, or the one of a
/// page 1 in the log. A log that another program began has other salts than the mark, and is not checked. The same holds for a mark that a crash left
/// behind the log.</para>
/// </remarks>
/// <param name="Salts">The salts in the log's header. SQLite changes them whenever the log begins again.</param>
/// <param name="Header">The database file's header when the log began. It lies within one sector, so no crash tears it.</param>
internal readonly record struct LogMark(ulong Salts, byte[] Header)
{
    /// <summary>The length of the header of a database file.</summary>
    public const int HeaderBytes = 100;

    /// <summary>The length of a log's header.</summary>
    public const int LogHeaderBytes = 32;

    /// <summary>The place of the salts in a log's header, and their length.</summary>
    public static readonly Range SaltsInLog = 16..24;

    private const string LogSuffix = "-wal";
    private const int SumBytes = 8;
    private const int Bytes = 16 + sizeof(ulong) + HeaderBytes + SumBytes;

    private static ReadOnlySpan<byte> Magic => "Stout log mark 1"u8;

    /// <summary>The log of a database file.</summary>
    public static string LogOf(string database) => database + LogSuffix;

    /// <summary>The mark beside a log.</summary>
    /// <param name="log">The log's path, with SQLite's suffix.</param>
    public static string PathFor(string log) => log[..^LogSuffix.Length] + "-mark";

    /// <summary>Reads a mark.</summary>
    /// <returns>The mark; null for a log without a mark, or if a crash has torn the mark.</returns>
    public static LogMark? Read(string path)
    {
        if (!File.Exists(path) || File.ReadAllBytes(path) is not { Length: Bytes } bytes)
            return null;
        var content = bytes.AsSpan(..^SumBytes);
        return content.StartsWith(Magic) && Sum(content).SequenceEqual(bytes.AsSpan(^SumBytes..))
            ? new LogMark(BitConverter.ToUInt64(content[Magic.Length..]), content[^HeaderBytes..].ToArray())
            : null;
    }

    /// <summary>Writes the mark durably.</summary>
    /// <param name="log">The log's path. A new mark gets the log's mode.</param>
    public void Write(string log)
    {
        var how = new FileStreamOptions { Mode = FileMode.OpenOrCreate, Access = FileAccess.Write, Share = FileShare.Read, BufferSize = 0 };
        if (!OperatingSystem.IsWindows())
            how.UnixCreateMode = File.GetUnixFileMode(log);
        using var file = new FileStream(PathFor(log), how);
        Span<byte> bytes = stackalloc byte[Bytes];
        Magic.CopyTo(bytes);
        BitConverter.TryWriteBytes(bytes[Magic.Length..], Salts);
        Header.CopyTo(bytes[(Magic.Length + sizeof(ulong))..]);
        Sum(bytes[..^SumBytes]).CopyTo(bytes[^SumBytes..]);
        file.Write(bytes);
        file.Flush(flushToDisk: true);
    }

    private static ReadOnlySpan<byte> Sum(ReadOnlySpan<byte> content) => SHA256.HashData(content).AsSpan(..SumBytes);
}
