using Microsoft.Data.SqlClient.Server;
using Stout.SqlServer.Client;
using Stout.SqlServer.Reading;
using Stout.Storage;

namespace Stout.SqlServer.Sweeping;

/// <summary>Keys that the sweeper has found, as they are stored, with the stamps of their headers where those matter.</summary>
internal sealed class SweepRows
{
    private readonly List<(byte[] Key, Stamp Stamp)> _rows = [];

    public int Count => _rows.Count;

    /// <summary>The key that the server found last, and so the greatest.</summary>
    public byte[] LastKey => _rows[^1].Key;

    public void Add(byte[] key, in Stamp stamp = default) => _rows.Add((key, stamp));

    public void Clear() => _rows.Clear();

    /// <summary>Some of the keys, in their order.</summary>
    public KeyOrder Order(IReadOnlyList<int> indexes)
    {
        var keys = new KeyOrder(indexes.Count);
        foreach (var index in indexes)
            keys.Add(index, _rows[index].Key);
        keys.Sort();
        return keys;
    }

    /// <summary>Rows of a table-valued parameter. The record is the same each time.</summary>
    public IEnumerable<SqlDataRecord> Of(KeyOrder keys) => ReadRows.Of(keys, index => _rows[index].Stamp);
}
