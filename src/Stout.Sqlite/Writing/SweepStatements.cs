using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>The sweeper's statements.</summary>
internal sealed class SweepStatements(Connection connection)
{
    public Statement AddGarbage { get; } = connection.Prepare("INSERT OR IGNORE INTO garbage VALUES (?1)");

    public Statement NextGarbage { get; } = connection.Prepare("SELECT key FROM garbage ORDER BY key LIMIT 1");

    // The subquery selects the key again instead of a bound BLOB, since the key of a damaged row may have any type.
    public Statement ForgetGarbage { get; } = connection.Prepare("DELETE FROM garbage WHERE key IS (SELECT key FROM garbage ORDER BY key LIMIT 1)");

    public Statement Header { get; } = connection.Prepare($"SELECT {StoredHeader.Columns} FROM header WHERE key = ?1");

    // SQLite takes the length from the row's header without reading the bytes.
    public Statement Generation { get; } = connection.Prepare(
        "SELECT rowid, length(value) FROM part WHERE key = ?1 AND generation = ?2");

    // Two index ranges instead of an inequality, so that the rows of a large living generation are skipped.
    public Statement Earlier { get; } = connection.Prepare(
        "SELECT rowid, length(value) FROM part WHERE key = ?1 AND generation < ?2");

    public Statement Later { get; } = connection.Prepare(
        "SELECT rowid, length(value) FROM part WHERE key = ?1 AND generation > ?2");

    public Statement RemoveRow { get; } = connection.Prepare("DELETE FROM part WHERE rowid = ?1");

    // A header with a damaged owner stays: its epoch is not known.
    public Statement OldHeaders { get; } = connection.Prepare(
        $"""
        SELECT rowid, owner FROM header
        WHERE deleted_at IS NOT NULL AND deleted_at BETWEEN 0 AND ?1 AND typeof(deleted_at) = 'integer'
            AND (owner IS NULL OR (typeof(owner) = 'blob' AND length(owner) = {KeyOwner.Bytes} AND owner > x'0000000000000001' AND owner < x'80'))
            AND NOT EXISTS (SELECT 1 FROM part WHERE part.key = header.key)
        ORDER BY deleted_at LIMIT ?2
        """);

    public Statement RemoveHeader { get; } = connection.Prepare("DELETE FROM header WHERE rowid = ?1");

    public Statement RaiseEpochFloor { get; } = connection.Prepare("UPDATE identity SET epoch_floor = max(epoch_floor, ?1)");

    public Statement OldestHeader { get; } = connection.Prepare("SELECT deleted_at FROM header WHERE deleted_at IS NOT NULL AND deleted_at >= 0 ORDER BY deleted_at LIMIT 1");
}
