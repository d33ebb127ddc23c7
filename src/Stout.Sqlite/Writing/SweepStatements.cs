using Stout.Sqlite.Native;

namespace Stout.Sqlite.Writing;

/// <summary>The sweeper's statements.</summary>
internal sealed class SweepStatements(Connection connection)
{
    public Statement AddGarbage { get; } = connection.Prepare("INSERT OR IGNORE INTO garbage VALUES (?1)");

    public Statement NextGarbage { get; } = connection.Prepare("SELECT key FROM garbage LIMIT 1");

    public Statement ForgetGarbage { get; } = connection.Prepare("DELETE FROM garbage WHERE key = ?1");

    public Statement LiveGeneration { get; } = connection.Prepare("SELECT generation FROM header WHERE key = ?1 AND deleted_at IS NULL");

    // SQLite takes the length from the row's header: the bytes themselves are not read.
    public Statement Generation { get; } = connection.Prepare(
        "SELECT rowid, length(value) FROM part WHERE key = ?1 AND generation = ?2");

    // Two ranges of the index instead of "other than": the rows of a large living generation are not visited.
    public Statement Earlier { get; } = connection.Prepare(
        "SELECT rowid, length(value) FROM part WHERE key = ?1 AND generation < ?2");

    public Statement Later { get; } = connection.Prepare(
        "SELECT rowid, length(value) FROM part WHERE key = ?1 AND generation > ?2");

    public Statement RemoveRow { get; } = connection.Prepare("DELETE FROM part WHERE rowid = ?1");

    public Statement RemoveHeaders { get; } = connection.Prepare(
        """
        DELETE FROM header WHERE rowid IN (
            SELECT rowid FROM header
            WHERE deleted_at IS NOT NULL AND deleted_at <= ?1 AND NOT EXISTS (SELECT 1 FROM part WHERE part.key = header.key)
            ORDER BY deleted_at LIMIT ?2)
        """);

    public Statement OldestHeader { get; } = connection.Prepare("SELECT min(deleted_at) FROM header WHERE deleted_at IS NOT NULL");
}
