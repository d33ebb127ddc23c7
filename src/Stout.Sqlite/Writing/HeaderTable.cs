using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>The stored header of a key before its write. The default value means no header.</summary>
internal readonly record struct Header(long RowId, Stamp Stamp, Stamp Generation, RootPlace Root, bool HasRows, bool IsDeleted)
{
    /// <summary>Whether the object exists: it was written, and not deleted since.</summary>
    public bool HasObject => RowId != 0 && !IsDeleted;
}

/// <summary>Statements on header rows for the writer.</summary>
internal sealed class HeaderTable(Connection connection)
{
    private readonly Statement _find = connection.Prepare(
        $"SELECT {StoredHeader.Columns}, rowid FROM header WHERE key = ?1");

    private readonly Statement _insert = connection.Prepare(
        "INSERT INTO header (key, stamp, generation, root, has_rows, deleted_at, value) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");

    private readonly Statement _update = connection.Prepare(
        "UPDATE header SET stamp = ?2, generation = ?3, root = ?4, has_rows = ?5, deleted_at = ?6, value = ?7 WHERE rowid = ?1");

    private readonly Statement _updateValue = connection.Prepare(
        "UPDATE header SET stamp = ?2, root = ?3, has_rows = ?4, value = ?5 WHERE rowid = ?1");

    private readonly Statement _updateStamp = connection.Prepare("UPDATE header SET stamp = ?2, has_rows = ?3 WHERE rowid = ?1");

    // The statement of most writes: it checks the stamp and changes the row in one step.
    private readonly Statement _exchange = connection.Prepare(
        $"UPDATE header SET stamp = ?3, root = 1, value = ?4 WHERE key = ?1 AND stamp = ?2 AND root < 2 AND deleted_at IS NULL AND {StoredHeader.KeepsSound}");

    private readonly Statement _claim = connection.Prepare(
        "UPDATE header SET stamp = ?2, deleted_at = iif(deleted_at IS NULL, NULL, ?3) WHERE rowid = ?1");

    /// <exception cref="SqliteFailure">The row is damaged. The statement stays open; a rollback resets it.</exception>
    public Header Find(PartitionKey key)
    {
        if (!_find.Bind(1, key.Text).Step())
            return default;
        var stored = StoredHeader.Read(_find);
        var header = new Header(_find.Integer(StoredHeader.ColumnCount), stored.Stamp, stored.Generation, stored.Root, stored.HasRows, stored.IsDeleted);
        _find.Reset();
        return header;
    }

    /// <summary>
    /// Writes the object's own value into its header, if the header is valid, has the expected stamp and an object, and the old value is not in a
    /// part row.
    /// </summary>
    /// <returns>Whether the value was written.</returns>
    public bool TryExchange(PartitionKey key, in Stamp expected, in Stamp next, ReadOnlySpan<byte> inline)
    {
        _exchange.Bind(1, key.Text).Bind(2, expected).Bind(3, next).Bind(4, inline).Run();
        return connection.Changes > 0;
    }

    /// <summary>Starts a generation.</summary>
    public void Begin(PartitionKey key, in Header old, in Stamp next, RootPlace root, bool hasRows, ReadOnlySpan<byte> inline) =>
        Put(key, old, next, next, root, hasRows, deletedAt: null, inline);

    /// <summary>Marks the object as deleted.</summary>
    public void Delete(PartitionKey key, in Header old, in Stamp next, long deletedAt) =>
        Put(key, old, next, next, RootPlace.None, hasRows: false, deletedAt, default);

    /// <summary>Writes the object's own value within the same generation.</summary>
    public void ChangeValue(in Header old, in Stamp next, RootPlace root, bool hasRows, ReadOnlySpan<byte> inline) =>
        BindValue(_updateValue.Bind(1, old.RowId).Bind(2, next).Bind(3, (long)root).Bind(4, hasRows ? 1 : 0), 5, root, inline)
            .Run();

    /// <summary>Updates the stamp after a change of parts only.</summary>
    public void ChangeStamp(in Header old, in Stamp next, bool hasRows) =>
        _updateStamp.Bind(1, old.RowId).Bind(2, next).Bind(3, hasRows ? 1 : 0).Run();

    /// <summary>Writes another owner's stamp. The retention time of a deleted header starts again, since the header fences the old owner.</summary>
    public void Claim(in Header old, in Stamp claim, long now) => _claim.Bind(1, old.RowId).Bind(2, claim).Bind(3, now).Run();

    private void Put(
        PartitionKey key, in Header old, in Stamp stamp, in Stamp generation, RootPlace root, bool hasRows, long? deletedAt,
        ReadOnlySpan<byte> inline)
    {
        var put = old.RowId == 0 ? _insert.Bind(1, key.Text) : _update.Bind(1, old.RowId);
        put.Bind(2, stamp).Bind(3, generation).Bind(4, (long)root).Bind(5, hasRows ? 1 : 0);
        if (deletedAt is { } time)
            put.Bind(6, time);
        else
            put.BindNull(6);
        BindValue(put, 7, root, inline).Run();
    }

    private static Statement BindValue(Statement statement, int parameter, RootPlace root, ReadOnlySpan<byte> inline) =>
        root == RootPlace.Inline ? statement.Bind(parameter, inline) : statement.BindNull(parameter);
}
