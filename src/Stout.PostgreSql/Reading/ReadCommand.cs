using Npgsql;
using NpgsqlTypes;
using Stout.PostgreSql.Sessions;

namespace Stout.PostgreSql.Reading;

/// <summary>
/// A command that reads keys, with the array of keys that it sends as <c>$1</c>. Each row of the answer begins with the key's place in the array, counted
/// from 1.
/// </summary>
internal abstract class ReadCommand
{
    private readonly List<byte[]> _keys = [];
    private readonly List<int> _places = [];

    protected ReadCommand(string sql) => Command = new NpgsqlBatchCommand(sql) { Parameters = { ArrayParameter.Of(_keys, NpgsqlDbType.Bytea) } };

    public NpgsqlBatchCommand Command { get; }

    /// <summary>Whether there is nothing to read.</summary>
    public bool IsEmpty => _keys.Count == 0;

    /// <summary>Adds a key.</summary>
    /// <param name="key">The row key.</param>
    /// <param name="place">The key's place in the request.</param>
    public void Add(byte[] key, int place)
    {
        _keys.Add(key);
        _places.Add(place);
    }

    public virtual void Clear()
    {
        _keys.Clear();
        _places.Clear();
    }

    /// <summary>Takes in one row of the answer.</summary>
    public void Take(NpgsqlDataReader row, FoundKey[] found) => Take(row, ref found[_places[(int)row.GetInt64(0) - 1]]);

    /// <summary>Takes in one row about a key.</summary>
    protected abstract void Take(NpgsqlDataReader row, ref FoundKey key);
}
