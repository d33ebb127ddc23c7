using System.Buffers.Binary;
using System.Globalization;
using System.IO.Compression;

namespace Stout.Argon.Experiments.Profiles;

/// <summary>Reads the block references of recorded traces in three file formats.</summary>
internal static class References
{
    private const int Sector = 512;
    private const int Block = 4096;

    /// <summary>Reads a compressed trace in the format of its file extension.</summary>
    public static IEnumerable<(long Block, bool Write)> Of(FileInfo file)
    {
        using var stream = new GZipStream(file.OpenRead(), CompressionMode.Decompress);
        var references = file.Name.EndsWith(".vscsi.gz", StringComparison.Ordinal) ? Requests(stream)
            : file.Name.EndsWith(".u32le.gz", StringComparison.Ordinal) ? Numbers(stream)
            : Lines(stream);
        foreach (var reference in references)
            yield return reference;
    }

    private static IEnumerable<(long Block, bool Write)> Requests(Stream stream)
    {
        const int Write = 0x2a;
        var record = new byte[32];
        while (stream.ReadAtLeast(record, record.Length, throwOnEndOfStream: false) == record.Length)
        {
            var bytes = BinaryPrimitives.ReadUInt32LittleEndian(record.AsSpan(4));
            var write = BinaryPrimitives.ReadUInt16LittleEndian(record.AsSpan(12)) == Write;
            var first = BinaryPrimitives.ReadInt64LittleEndian(record.AsSpan(16)) * Sector;
            for (var block = first / Block; block * Block < first + bytes; block++)
                yield return (block, write);
        }
    }

    private static IEnumerable<(long Block, bool Write)> Numbers(Stream stream)
    {
        var record = new byte[4];
        while (stream.ReadAtLeast(record, record.Length, throwOnEndOfStream: false) == record.Length)
            yield return (BinaryPrimitives.ReadUInt32LittleEndian(record), false);
    }

    // Skips lines that are not numbers: they are markers.
    private static IEnumerable<(long Block, bool Write)> Lines(Stream stream)
    {
        using var reader = new StreamReader(stream);
        while (reader.ReadLine() is { } line)
        {
            if (long.TryParse(line, NumberStyles.None, CultureInfo.InvariantCulture, out var block))
                yield return (block, false);
        }
    }
}
