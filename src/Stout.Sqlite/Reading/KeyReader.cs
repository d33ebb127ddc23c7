using System.Text;
using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Reading;

/// <summary>Reads one key, inside a transaction that it neither begins nor ends.</summary>
internal sealed class KeyReader(Connection connection)
{
    private static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly Statement _header = connection.Prepare(
        "SELECT stamp, generation, root, has_rows, deleted_at IS NOT NULL, value FROM header WHERE key = ?1");

    private readonly Statement _parts = connection.Prepare("SELECT subkey, value FROM part WHERE key = ?1 AND generation = ?2");

    /// <summary>The bytes of values that the last read returned.</summary>
    public long BytesRead { get; private set; }

    /// <returns>What was read, or null: the key has to be claimed first.</returns>
    public ReadOutcome? Read(in KeyRead read)
    {
        BytesRead = 0;
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
            // After a damaged row, too: a statement that is not reset takes no further key.
            _header.Reset();
            _parts.Reset();
        }
    }

    private List<StoredPart> ReadParts(PartitionKey key)
    {
        var parts = new List<StoredPart>();
        var root = _header.Root(2);
        if (root == RootPlace.Inline)
            parts.Add(new StoredPart(SubKey.Root, _header.Bytes(5).ToArray()));
        if (_header.Integer(3) != 0)
        {
            _parts.Bind(1, key.Text).Bind(2, _header.Stamp(1));
            while (_parts.Step())
                parts.Add(new StoredPart(ReadSubKey(_parts.Bytes(0)), _parts.Bytes(1).ToArray()));
        }

        foreach (var part in parts)
            BytesRead += part.Value.Length;

        // Without the row that the header names, the other parts are not the whole object.
        if (root == RootPlace.Row && !parts.Exists(static part => part.SubKey.IsRoot))
            throw SqliteFailure.DamagedRow("the object's own bytes are missing");
        return parts;
    }

    private static SubKey ReadSubKey(ReadOnlySpan<byte> utf8)
    {
        try
        {
            return new SubKey(StrictUtf8.GetString(utf8));
        }
        catch (Exception error) when (error is InvalidKeyException or DecoderFallbackException)
        {
            throw SqliteFailure.DamagedRow("a sub-key is no sub-key");
        }
    }
}
