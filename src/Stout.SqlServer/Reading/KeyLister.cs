using System.Data;
using System.Text;
using Microsoft.Data.SqlClient;
using Stout.SqlServer.Client;
using Stout.Storage;

namespace Stout.SqlServer.Reading;

/// <summary>Lists keys.</summary>
internal sealed class KeyLister(Database database)
{
    private readonly ListStatement _statement = new(database.Schema);

    /// <exception cref="StoreException">The keys could not be listed.</exception>
    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => database.RunAsync(
        static (connection, x, token) => x.Lister.ListAsync(connection, x.Listing, token), (Lister: this, Listing: listing), cancellationToken);

    private async ValueTask<KeyPage> ListAsync(SqlConnection connection, KeyListing listing, CancellationToken token)
    {
        var command = new SqlCommand(_statement.Text, connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.Add(ListStatement.Most, SqlDbType.Int).Value = listing.MostKeys;
            command.Parameters.Add(ListStatement.After, SqlDbType.VarBinary, StoredKey.MaxKeyBytes).Value = After(listing);
            command.Parameters.Add(ListStatement.Before, SqlDbType.VarBinary, StoredKey.MaxKeyBytes).Value = listing.UpperBound();
            var headers = new List<(ReadOnlyMemory<byte> Key, bool Exists)>();
            var reader = await command.ExecuteReaderAsync(token).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                while (await reader.ReadAsync(token).ConfigureAwait(false))
                    headers.Add((StoredKey.Utf8Of(reader.GetFieldValue<byte[]>(0)), reader.GetInt32(1) != 0));
            }

            return KeyPage.Of(listing, headers);
        }
    }

    // A stored key has one byte more than its text, so every key with the prefix is longer than the prefix.
    private static byte[] After(in KeyListing listing)
    {
        if (listing.Continuation is not { } last)
            return Encoding.UTF8.GetBytes(listing.Prefix);
        var stored = new byte[StoredKey.MaxKeyBytes];
        return stored[..StoredKey.Write(last, stored)];
    }
}
