using System.Collections.Immutable;
using System.Security.Cryptography;
using System.Text;
using Stout.Storage;

namespace Stout.Testing.Tests.Example;

/// <summary>
/// A file that is only appended to: a line that says what it is, then one frame for each batch: length, SHA-256, entries. The last
/// entry of a key counts.
/// </summary>
internal sealed class LogFile : IDisposable
{
    private const int FrameHeader = sizeof(int) + SHA256.HashSizeInBytes;
    private static readonly byte[] Identity = Encoding.UTF8.GetBytes($"stout-log 1, partition 0 of 1, {Slots.HashName}\n");

    private readonly FileStream _file;
    private bool _isBroken;

    private LogFile(FileStream file) => _file = file;

    public static LogFile Open(string path, out ImmutableDictionary<PartitionKey, LogEntry> entries)
    {
        FileStream file;
        try
        {
            // No sharing: a second process must not append to the same log.
            file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (IOException error)
        {
            throw new StoreException(StoreErrorKind.Locked, "The log can't be opened; another process may have it.", error);
        }

        try
        {
            entries = Replay(file);
            return new LogFile(file);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    #region append
    public void Append(IReadOnlyDictionary<PartitionKey, LogEntry> entries)
    {
        if (_isBroken)
            throw new StoreException(StoreErrorKind.Unreachable, "The log failed before and has to be opened anew.");
        var body = new MemoryStream();
        using var writer = new BinaryWriter(body);
        foreach (var (key, entry) in entries)
            entry.Write(writer, key);
        try
        {
            _file.Write(BitConverter.GetBytes((int)body.Length));
            _file.Write(SHA256.HashData(body.GetBuffer().AsSpan(0, (int)body.Length)));
            _file.Write(body.GetBuffer().AsSpan(0, (int)body.Length));
            _file.Flush(flushToDisk: true);
        }
        catch (IOException error)
        {
            // The state of the disk is unknown now, and after a failed sync a second one proves nothing.
            _isBroken = true;
            throw new StoreException(StoreErrorKind.Unknown, "The log could not be written.", error);
        }
    }
    #endregion

    public void Dispose() => _file.Dispose();

    private static ImmutableDictionary<PartitionKey, LogEntry> Replay(FileStream file)
    {
        var entries = ImmutableDictionary.CreateBuilder<PartitionKey, LogEntry>();
        if (file.Length < Identity.Length)
        {
            Begin(file);
            return entries.ToImmutable();
        }

        var identity = new byte[Identity.Length];
        file.ReadExactly(identity);
        if (!identity.SequenceEqual(Identity))
            throw new StoreException(StoreErrorKind.LayoutMismatch, "The file is no log of this store.");
        while (ReadFrame(file) is { } frame)
        {
            using var reader = new BinaryReader(new MemoryStream(frame));
            while (reader.BaseStream.Position < frame.Length)
            {
                var (key, entry) = LogEntry.Read(reader);
                entries[key] = entry;
            }
        }

        return entries.ToImmutable();
    }

    private static void Begin(FileStream file)
    {
        var begun = new byte[file.Length];
        file.ReadExactly(begun);
        if (!Identity.AsSpan().StartsWith(begun))
            throw new StoreException(StoreErrorKind.LayoutMismatch, "The file is no log of this store.");
        file.Position = 0;
        file.Write(Identity);
        file.Flush(flushToDisk: true);
    }

    /// <summary>The next frame. A last one that is not whole was never acknowledged, and is cut off; any other is damage.</summary>
    private static byte[]? ReadFrame(FileStream file)
    {
        var start = file.Position;
        var header = new byte[FrameHeader];
        var length = file.ReadAtLeast(header, FrameHeader, throwOnEndOfStream: false) == FrameHeader ? BitConverter.ToInt32(header) : 0;
        if (length > 0 && length <= file.Length - file.Position)
        {
            var body = new byte[length];
            file.ReadExactly(body);
            if (SHA256.HashData(body).AsSpan().SequenceEqual(header.AsSpan(sizeof(int))))
                return body;
            if (file.Position < file.Length)
                throw new StoreException(StoreErrorKind.Corrupt, "The log is damaged.");
        }

        file.SetLength(start);
        file.Flush(flushToDisk: true);
        return null;
    }
}
