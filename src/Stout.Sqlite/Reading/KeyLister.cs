using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Reading;

/// <summary>Lists keys within a transaction of the caller.</summary>
internal sealed class KeyLister(Connection connection)
{
    private readonly Statement _headers = connection.Prepare(
        "SELECT key, deleted_at IS NULL, long_key FROM header WHERE key >= ?1 AND key < ?2 ORDER BY key LIMIT ?3");

    public KeyPage List(in KeyListing listing)
    {
        var headers = new List<ListedHeader>();
        _headers.Bind(1, listing.LowerBound()).Bind(2, listing.UpperBound()).Bind(3, listing.MostKeys);
        while (_headers.Step())
            headers.Add(new ListedHeader(_headers.Bytes(0).ToArray(), _headers.Integer(1) != 0, _headers.Blob(2).ToArray()));
        return KeyPage.Of(listing, headers);
    }
}
