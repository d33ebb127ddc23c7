using System.Text;
using Stout.Storage;

namespace Stout.Sqlite.Tests;

/// <summary>Computes the right outcome of a key's read from the rows in the file.</summary>
internal static class NaiveReader
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <returns>The outcome; null if the sweeper has removed the header, since the damage made it look like an old deleted one.</returns>
    public static ReadOutcomeKind? Read(RawFile file, string key)
    {
        var row = file.Rows($"SELECT stamp, generation, root, has_rows, deleted_at, value, owner FROM header WHERE key = CAST('{key}' AS BLOB)").SingleOrDefault();
        if (row is null)
            return null;
        var isNeverWritten = row[0] is null && row[6] is not null && row[4] is not null && row[3] is 0L;
        var isSound = (isNeverWritten || IsStamp(row[0])) && (row[3] is 0L ? row[1] is null : IsStamp(row[1])) && IsOwner(row[6]) && row[2] is 0L or 1L or 2L && row[3] is 0L or 1L && row[4] is null or >= 0L
            && (row[2] is 1L ? row[5] is byte[] : row[5] is null)
            && !(row[2] is 2L && row[3] is 0L)
            && !(row[4] is not null && row[2] is not 0L);
        if (!isSound)
            return ReadOutcomeKind.Refused;
        if (row[4] is not null || row[3] is 0L)
            return ReadOutcomeKind.Read;
        var parts = file.Rows($"SELECT subkey, value FROM part WHERE key = CAST('{key}' AS BLOB) AND generation = x'{Convert.ToHexString((byte[])row[1]!)}'");
        var hasOwn = parts.Any(part => part[0] is byte[] { Length: 0 });
        return parts.TrueForAll(part => IsSubKey(part[0]) && part[1] is byte[]) && hasOwn == row[2] is 2L ? ReadOutcomeKind.Read : ReadOutcomeKind.Refused;
    }

    private static bool IsStamp(object? value) => value is byte[] { Length: 32 } bytes && bytes[0] < 0x80 && bytes.Any(one => one != 0);

    private static bool IsOwner(object? value) =>
        value is null || (value is byte[] { Length: 24 } bytes && bytes[0] < 0x80 && bytes.Take(8).Any(one => one != 0));

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
