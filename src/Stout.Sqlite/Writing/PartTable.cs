using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>Statements on part rows for the writer.</summary>
internal sealed class PartTable(Connection connection)
{
    private readonly Statement _put = connection.Prepare(
        """
        INSERT INTO part (key, generation, subkey, value) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (key, generation, subkey) DO UPDATE SET value = excluded.value
        """);

    private readonly Statement _remove = connection.Prepare("DELETE FROM part WHERE key = ?1 AND generation = ?2 AND subkey = ?3");

    public void Put(PartitionKey key, in Stamp generation, SubKey subKey, ReadOnlySpan<byte> value) =>
        _put.Bind(1, key).Bind(2, generation).Bind(3, subKey.Text).Bind(4, value).Run();

    public void Remove(PartitionKey key, in Stamp generation, SubKey subKey) =>
        _remove.Bind(1, key).Bind(2, generation).Bind(3, subKey.Text).Run();
}
