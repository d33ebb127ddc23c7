using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Reading;

/// <summary>Takes in the rows of a read.</summary>
internal static class KeyImages
{
    // Values up to this length arrive with their row in one or two packets.
    private const int SmallBytes = 8_000;

    /// <returns>An image for each key, by its place in the order; null for a key without a row.</returns>
    public static async ValueTask<KeyImage?[]> ReadAsync(SqlDataReader reader, int count, CancellationToken token)
    {
        var images = new KeyImage?[count];
        while (await reader.ReadAsync(token).ConfigureAwait(false))
            await AddRowAsync(reader, images, token).ConfigureAwait(false);
        await reader.NextResultAsync(token).ConfigureAwait(false);
        while (await reader.ReadAsync(token).ConfigureAwait(false))
            At(images, reader.GetInt32(0)).AddStampAfterwards(Stamp.Read(reader.GetFieldValue<byte[]>(1)));

        // The commit comes after the rows, and its error too.
        while (await reader.NextResultAsync(token).ConfigureAwait(false))
        {
        }

        return images;
    }

    // The columns come in their order: values are not kept in the reader's own memory.
    private static async ValueTask AddRowAsync(SqlDataReader reader, KeyImage?[] images, CancellationToken token)
    {
        var image = At(images, reader.GetInt32(0));
        var stamp = Stamp.Read(reader.GetFieldValue<byte[]>(1));
        var lives = reader.GetInt32(2) != 0;
        var root = (RootPlace)reader.GetInt32(3);
        var subKey = reader.IsDBNull(4) ? default(SubKey?) : StoredKey.ReadSubKey(reader.GetFieldValue<byte[]>(4));
        var value = reader.IsDBNull(5) ? null : await ReadValueAsync(reader, reader.GetInt64(5), token).ConfigureAwait(false);
        if (subKey is { } part)
            image.AddPart(part, value ?? throw new StoreException(StoreErrorKind.Corrupt, "A part has no value."));
        else
            image.AddHeader(stamp, lives, root, value);
    }

    private static async ValueTask<byte[]> ReadValueAsync(SqlDataReader reader, long length, CancellationToken token)
    {
        if (length <= SmallBytes)
            return await reader.GetFieldValueAsync<byte[]>(6, token).ConfigureAwait(false);

        // As a stream it costs what it weighs; as a field SqlClient starts it over with every packet that it has to wait for.
        var value = new byte[length];
        var stream = reader.GetStream(6);
        await using (stream.ConfigureAwait(false))
            await stream.ReadExactlyAsync(value, token).ConfigureAwait(false);
        return value;
    }

    private static KeyImage At(KeyImage?[] images, int place) => images[place] ??= new KeyImage();
}
