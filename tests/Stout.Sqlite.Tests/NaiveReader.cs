using System.Text;
using Stout.Storage;

namespace Stout.Sqlite.Tests;

/// <summary>Says of a key, from the rows as they are, what a read of it has to be.</summary>
internal static class NaiveReader
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    public static ReadOutcomeKind Read(RawFile file, string key, long epoch)
    {
        var row = file.Rows($"SELECT stamp, generation, root, has_rows, deleted_at, value FROM header WHERE key = CAST('{key}' AS BLOB)").Single();
        var isSound = IsStamp(row[0]) && IsStamp(row[1]) && row[2] is 0L or 1L or 2L && row[3] is 0L or 1L && row[4] is null or >= 0L
            && (row[2] is 1L ? row[5] is byte[] : row[5] is null)
            && !(row[2] is 2L && row[3] is 0L)
            && !(row[4] is not null && row[2] is not 0L);
        if (!isSound)
            return ReadOutcomeKind.Refused;
        if (System.Buffers.Binary.BinaryPrimitives.ReadInt64BigEndian((byte[])row[0]!) > epoch)
            return ReadOutcomeKind.Fenced;
        if (row[4] is not null || row[3] is 0L)
            return ReadOutcomeKind.Read;
        var parts = file.Rows($"SELECT subkey, value FROM part WHERE key = CAST('{key}' AS BLOB) AND generation = x'{Convert.ToHexString((byte[])row[1]!)}'");
        var hasOwn = parts.Any(part => part[0] is byte[] { Length: 0 });
        return parts.TrueForAll(part => IsSubKey(part[0]) && part[1] is byte[]) && hasOwn == row[2] is 2L ? ReadOutcomeKind.Read : ReadOutcomeKind.Refused;
    }

    private static bool IsStamp(object? value) => value is byte[] { Length: 32 } bytes && bytes[0] < 0x80 && bytes.Any(one => one != 0);

    private static bool IsSubKey(object? value)
    {
        try
        {
            return value is byte[] { Length: <= SubKey.MaxBytes } bytes && Utf8.GetCharCount(bytes) >= 0;
        }
        catch (DecoderFallbackException)
        {
            return false;
        }
    }
}
