using System.Text;
using SQLitePCL;
using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Reading;

/// <summary>Reads one key, inside a transaction that it neither begins nor ends.</summary>
internal sealed class KeyReader(Connection connection)
{
    private readonly Statement _header = connection.Prepare(
        "SELECT stamp, generation, root, has_rows, deleted_at IS NOT NULL, value FROM header WHERE key = ?1");

    private readonly Statement _parts = connection.Prepare("SELECT subkey, value FROM part WHERE key = ?1 AND generation = ?2");

    /// <returns>What was read, or null: the key has to be claimed first.</returns>
    public ReadOutcome? Read(in KeyRead read)
    {
        if (!_header.Bind(1, read.Key.Text).Step())
            return ReadOutcome.NotFound(Stamp.Absent);
        try
        {
            var stamp = _header.Stamp(0);
            if (stamp.Epoch > read.Claim.Epoch)
                return ReadOutcome.Fenced;
            if (stamp.Epoch < read.Claim.Epoch)
                return null;
            return _header.Integer(4) != 0 ? ReadOutcome.NotFound(stamp) : ReadOutcome.Found(stamp, ReadParts(read.Key));
        }
        finally
        {
            _header.Reset();
        }
    }

    private List<StoredPart> ReadParts(PartitionKey key)
    {
        var parts = new List<StoredPart>();
        var root = (RootPlace)_header.Integer(2);
        if (root == RootPlace.Inline)
            parts.Add(new StoredPart(SubKey.Root, _header.Blob(5).ToArray()));
        if (_header.Integer(3) != 0)
        {
            _parts.Bind(1, key.Text).Bind(2, _header.Stamp(1));
            while (_parts.Step())
                parts.Add(new StoredPart(ReadSubKey(_parts.Blob(0)), _parts.Blob(1).ToArray()));
        }

        // The header says so, and the row is not there: what is left must not pass for the whole.
        if (root == RootPlace.Row && !parts.Exists(static part => part.SubKey.IsRoot))
            throw new SqliteFailure(raw.SQLITE_CORRUPT, "the object's own bytes are missing");
        return parts;
    }

    private static SubKey ReadSubKey(ReadOnlySpan<byte> utf8)
    {
        try
        {
            return new SubKey(Encoding.UTF8.GetString(utf8));
        }
        catch (InvalidKeyException)
        {
            throw new SqliteFailure(raw.SQLITE_CORRUPT, "a sub-key is no sub-key");
        }
    }
}
