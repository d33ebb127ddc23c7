using Microsoft.Data.SqlClient.Server;
using Stout.SqlServer.Client;
using Stout.SqlServer.Reading;
using Stout.Storage;

namespace Stout.SqlServer.Sweeping;

/// <summary>The keys that the sweeper has found, in stored form; for headers also their versions and owners.</summary>
internal sealed class SweepRows
{
    private readonly List<(byte[] Key, KeyHeader Header)> _rows = [];

    public int Count => _rows.Count;

    /// <summary>The last and greatest key.</summary>
    public byte[] LastKey => _rows[^1].Key;

    public void Add(byte[] key, in KeyHeader header = default) => _rows.Add((key, header));

    public void Clear() => _rows.Clear();

    /// <summary>Some of the keys, sorted.</summary>
    public KeyOrder Order(IReadOnlyList<int> indexes)
    {
        var keys = new KeyOrder(indexes.Count);
        foreach (var index in indexes)
            keys.Add(index, _rows[index].Key);
        keys.Sort();
        return keys;
    }

    /// <summary>The given keys as rows of a table-valued parameter. All rows reuse one record.</summary>
    public IEnumerable<SqlDataRecord> Of(KeyOrder keys) => ReadRows.Of(keys, index => _rows[index].Header);
}
