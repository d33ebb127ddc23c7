using Microsoft.Data.SqlClient.Server;
using Stout.SqlServer.Client;
using Stout.SqlServer.Reading;
using Stout.Storage;

namespace Stout.SqlServer.Sweeping;

/// <summary>Keys that the sweeper has found, with the stamps of their headers where those matter.</summary>
internal sealed class SweepRows : IDisposable
{
    private readonly List<Stamp> _stamps = [];

    public SweepRows(int capacity) => Keys = new KeyOrder(capacity);

    /// <summary>The keys, in their order once all have been added.</summary>
    public KeyOrder Keys { get; }

    public void Add(byte[] key, in Stamp stamp = default)
    {
        Keys.Add(_stamps.Count, key);
        _stamps.Add(stamp);
    }

    public void Clear()
    {
        Keys.Clear();
        _stamps.Clear();
    }

    /// <summary>Rows of a table-valued parameter. The record is the same each time.</summary>
    public IEnumerable<SqlDataRecord> Of(KeyRange keys) => ReadRows.Of(keys, index => _stamps[index]);

    public void Dispose() => Keys.Dispose();
}
