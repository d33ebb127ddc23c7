using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Reading;

/// <summary>Reads one key within a transaction of the caller.</summary>
internal sealed class KeyReader(Connection connection)
{
    private readonly Statement _header = connection.Prepare(
        $"SELECT {StoredHeader.Columns}, value, rowid, long_key FROM header WHERE key = ?1");

    private readonly Statement _parts = connection.Prepare("SELECT subkey, value FROM part WHERE key = ?1 AND generation = ?2 ORDER BY subkey");

    /// <summary>The bytes of the values in the last read.</summary>
    public long BytesRead { get; private set; }

    public ReadOutcome Read(in KeyRead read)
    {
        BytesRead = 0;
        if (!_header.Bind(1, read.Key).Step())
            return OutcomeOf(read, default, row: null, exists: false, []);
        try
        {
            var header = StoredHeader.Read(_header);
            if (LongKeys.IsLong(read.Key) && !LongKeys.Matches(read.Key, _header.Blob(StoredHeader.ColumnCount + 2)))
                return ReadOutcome.Of(LongKeys.Mismatch());
            return OutcomeOf(read, header.Key, _header.Integer(StoredHeader.ColumnCount + 1), !header.IsDeleted, header.IsDeleted || !read.ReadsParts ? [] : ReadParts(read, header));
        }
        finally
        {
            // Even after an exception about a damaged row, both statements need a reset before the next key is read.
            _header.Reset();
            _parts.Reset();
        }
    }

    // The claim was committed before this read. If the header names another claim, that later claim has fenced this one.
    private static ReadOutcome OutcomeOf(in KeyRead read, in KeyHeader header, object? row, bool exists, List<StoredPart> parts)
    {
        if (read.Claim is { } claim && header.Owner.Claim != claim.Id)
            return ReadOutcome.FencedBy(header);
        return exists ? ReadOutcome.Found(header.Version, parts, row, header.Owner) : ReadOutcome.NotFound(header.Version, row, header.Owner);
    }

    private List<StoredPart> ReadParts(in KeyRead read, in StoredHeader header)
    {
        var parts = new List<StoredPart>();
        if (header.Root == RootPlace.Inline)
            parts.Add(new StoredPart(SubKey.Root, _header.Bytes(StoredHeader.ColumnCount).ToArray()));
        if (header.HasRows)
        {
            _parts.Bind(1, read.Key).Bind(2, header.Generation);
            var first = parts.Count;
            var bytes = parts.Sum(static part => (long)part.Value.Length);
            while (_parts.Step())
            {
                bytes += _parts.Bytes(1).Length;
                read.CheckSize(bytes, parts.Count + 1);
                var part = new StoredPart(ReadSubKey(_parts.Bytes(0)), _parts.Bytes(1).ToArray());
                if (parts.Count > first && parts[^1].SubKey == part.SubKey)
                    throw SqliteFailure.DamagedRow("a part is there twice");
                parts.Add(part);
            }

            // The object's own value must be a row of the part table exactly if the header says so. Anything else is damage.
            if ((parts.Count > first && parts[first].SubKey.IsRoot) != (header.Root == RootPlace.Row))
                throw SqliteFailure.DamagedRow("the object's own bytes are not where the header says");
        }

        foreach (var part in parts)
            BytesRead += part.Value.Length;
        return parts;
    }

    private static SubKey ReadSubKey(ReadOnlySpan<byte> utf8) =>
        SubKeyBytes.TryRead(utf8, out var subKey) ? subKey : throw SqliteFailure.DamagedRow("a sub-key is no sub-key");
}
