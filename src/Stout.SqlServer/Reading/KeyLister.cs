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
            var headers = new List<ListedHeader>();
            var reader = await command.ExecuteReaderAsync(token).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                while (await reader.ReadAsync(token).ConfigureAwait(false))
                {
                    headers.Add(new ListedHeader(
                        StoredKey.Utf8Of(reader.GetFieldValue<byte[]>(0)),
                        reader.GetInt32(1) != 0,
                        reader.IsDBNull(2) ? default : reader.GetFieldValue<byte[]>(2)));
                }
            }

            return KeyPage.Of(listing, headers);
        }
    }

    // Every stored key with the prefix is longer than the prefix, by its final byte or as the row key of a long key. So the key compares greater than the
    // prefix.
    private static byte[] After(in KeyListing listing) =>
        listing.Continuation is { } last ? StoredKey.Of(last) : Encoding.UTF8.GetBytes(listing.RowPrefix);
}
