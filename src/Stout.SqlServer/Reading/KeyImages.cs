using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Reading;

/// <summary>Collects the rows of a read.</summary>
internal static class KeyImages
{
    // A value up to this length arrives with its row in one or two packets, so it needs no stream.
    private const int SmallBytes = 8_000;

    private const int SubKeyColumn = 2 + StoredHeader.ColumnCount;
    private const int LengthColumn = SubKeyColumn + 1;
    private const int ValueColumn = LengthColumn + 1;

    /// <returns>An image for each key, by position; null for a key without a row.</returns>
    public static async ValueTask<KeyImage?[]> ReadAsync(SqlDataReader reader, int count, ReadBatch batch, SilenceLimit limit)
    {
        var token = limit.Token;
        var images = new KeyImage?[count];
        while (await reader.ReadAsync(token).ConfigureAwait(false))
        {
            await AddRowAsync(reader, images, token).ConfigureAwait(false);
            limit.Heard();
            batch.ReportProgress();
        }

        await reader.NextResultAsync(token).ConfigureAwait(false);
        while (await reader.ReadAsync(token).ConfigureAwait(false))
        {
            var image = At(images, reader.GetInt32(0));
            if (StoredHeader.ReadKey(reader, 1) is { } key)
                image.AddKeyAfterwards(key);
            else
                image.Damage("A header is none.");
        }

        // The comparisons of long keys follow, if there are any. The commit's result, or its error, comes last.
        while (await reader.NextResultAsync(token).ConfigureAwait(false))
        {
            while (await reader.ReadAsync(token).ConfigureAwait(false))
                At(images, reader.GetInt32(0)).AddComparison(reader.GetInt32(1) != 0);
        }

        return images;
    }

    // Columns are read in their order, so the reader does not buffer values.
    private static async ValueTask AddRowAsync(SqlDataReader reader, KeyImage?[] images, CancellationToken token)
    {
        var image = At(images, reader.GetInt32(0));
        var isHeader = reader.GetInt32(1) != 0;
        var header = isHeader ? StoredHeader.Read(reader, 2) : null;
        var subKey = reader.IsDBNull(SubKeyColumn) ? null : reader.GetFieldValue<byte[]>(SubKeyColumn);
        var value = reader.IsDBNull(LengthColumn) ? null : await ReadValueAsync(reader, reader.GetInt64(LengthColumn), token).ConfigureAwait(false);
        if (isHeader && header is { } sound)
            image.AddHeader(sound, value);
        else if (isHeader)
            image.Damage("A header is none.");
        else if (value is null)
            image.Damage("A part has no value.");
        else if (subKey is not null && StoredKey.TryReadSubKey(subKey, out var part))
            image.AddPart(part, value);
        else
            image.Damage("A stored sub-key is no sub-key.");
    }

    private static async ValueTask<byte[]> ReadValueAsync(SqlDataReader reader, long length, CancellationToken token)
    {
        if (length <= SmallBytes)
            return await reader.GetFieldValueAsync<byte[]>(ValueColumn, token).ConfigureAwait(false);

        // Read as a stream: GetFieldValueAsync would read the value again from its start after each packet for which SqlClient has to wait.
        var value = new byte[length];
        var stream = reader.GetStream(ValueColumn);
        await using (stream.ConfigureAwait(false))
            await stream.ReadExactlyAsync(value, token).ConfigureAwait(false);
        return value;
    }

    private static KeyImage At(KeyImage?[] images, int place) => images[place] ??= new KeyImage();
}
