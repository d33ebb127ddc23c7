using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>The header of a key, as the writer reads it before a write. The default value stands for a key without a header.</summary>
internal readonly record struct Header(long RowId, KeyHeader Key, Stamp Generation, RootPlace Root, bool IsDeleted, bool IsOfOtherKey)
{
    /// <summary>Whether the present generation has had rows in the table of parts.</summary>
    public bool HasRows => !Generation.IsAbsent;

    /// <summary>Whether the object exists: it was written, and not deleted since.</summary>
    public bool HasObject => RowId != 0 && !IsDeleted;
}

/// <summary>Statements on header rows for the writer.</summary>
internal sealed class HeaderTable(Connection connection)
{
    private readonly Statement _find = connection.Prepare(
        $"SELECT {StoredHeader.Columns}, rowid, long_key FROM header WHERE key = ?1");

    private readonly Statement _insert = connection.Prepare(
        "INSERT INTO header (key, stamp, generation, root, has_rows, deleted_at, value, long_key) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");

    private readonly Statement _update = connection.Prepare(
        "UPDATE header SET stamp = ?2, generation = ?3, root = ?4, has_rows = ?5, deleted_at = ?6, value = ?7 WHERE rowid = ?1");

    private readonly Statement _updateValue = connection.Prepare(
        "UPDATE header SET stamp = ?2, generation = ?3, root = ?4, has_rows = ?5, value = ?6 WHERE rowid = ?1");

    private readonly Statement _updateStamp = connection.Prepare("UPDATE header SET stamp = ?2, generation = ?3, has_rows = ?4 WHERE rowid = ?1");

    // One statement does most writes: the check of version and owner together with the change.
    private readonly Statement _exchange = connection.Prepare(Exchange("key = ?1"));

    // For a write whose token is the header's rowid, as the last read or write returned it. A row that belongs to another key by now does not match.
    private readonly Statement _exchangeRow = connection.Prepare(Exchange("rowid = ?6 AND key = ?1"));

    private readonly Statement _claim = connection.Prepare(
        "UPDATE header SET owner = ?2, deleted_at = iif(deleted_at IS NULL, NULL, ?3) WHERE rowid = ?1");

    private readonly Statement _claimAbsent = connection.Prepare(
        "INSERT INTO header (key, root, has_rows, owner, deleted_at, long_key) VALUES (?1, 0, 0, ?2, ?3, ?4)");

    private readonly Statement _epochFloor = connection.Prepare("SELECT epoch_floor FROM identity");

    /// <exception cref="SqliteFailure">The row is damaged. The statement stays open; a rollback resets it.</exception>
    public Header Find(PartitionKey key)
    {
        if (!_find.Bind(1, key).Step())
            return default;
        var stored = StoredHeader.Read(_find);
        var isOfOtherKey = LongKeys.IsLong(key) && !LongKeys.Matches(key, _find.Blob(StoredHeader.ColumnCount + 1));
        var header = new Header(_find.Integer(StoredHeader.ColumnCount), stored.Key, stored.Generation, stored.Root, stored.IsDeleted, isOfOtherKey);
        _find.Reset();
        return header;
    }

    /// <summary>
    /// Writes the object's own value into its header with one statement. Nothing changes unless the header is valid with the expected version and owner,
    /// and the object exists without a part row for its old value.
    /// </summary>
    /// <returns>Whether the value was written.</returns>
    public bool TryExchange(in KeyWrite write, ReadOnlySpan<byte> inline)
    {
        var exchange = write.ExpectedToken is long row ? _exchangeRow.Bind(6, row) : _exchange;
        exchange.Bind(1, write.Key).Bind(2, write.Expected).Bind(3, write.Next).Bind(4, inline).Bind(5, write.Owner).Run();
        return connection.Changes > 0;
    }

    /// <summary>Writes the header of an object that is created or replaced. The generation is absent if the object has no part rows.</summary>
    public void Begin(PartitionKey key, in Header old, in Stamp next, in Stamp generation, RootPlace root, ReadOnlySpan<byte> inline) =>
        Put(key, old, next, generation, root, deletedAt: null, inline);

    /// <summary>Marks the object as deleted.</summary>
    public void Delete(PartitionKey key, in Header old, in Stamp next, long deletedAt) =>
        Put(key, old, next, generation: default, RootPlace.None, deletedAt, default);

    /// <summary>Writes the own value of an object whose other parts stay.</summary>
    public void ChangeValue(in Header old, in Stamp next, in Stamp generation, RootPlace root, ReadOnlySpan<byte> inline) =>
        BindValue(BindRows(_updateValue.Bind(1, old.RowId).Bind(2, next), 3, generation, 5).Bind(4, (long)root), 6, root, inline).Run();

    /// <summary>Updates the stamp after a change of parts only.</summary>
    public void ChangeStamp(in Header old, in Stamp next, in Stamp generation) =>
        BindRows(_updateStamp.Bind(1, old.RowId).Bind(2, next), 3, generation, 4).Run();

    /// <summary>
    /// Gives the key another owner. The header of a key without an object is kept for the full retention again, since it fences the old owner.
    /// </summary>
    public void Claim(PartitionKey key, in Header old, in KeyOwner owner, long now) =>
        (old.RowId == 0 ? _claimAbsent.Bind(1, key).BindLong(4, key) : _claim.Bind(1, old.RowId)).Bind(2, owner).Bind(3, now).Run();

    /// <summary>The largest epoch of the headers that were removed.</summary>
    public long ReadEpochFloor()
    {
        if (!_epochFloor.Step())
            throw SqliteFailure.DamagedRow("the epoch floor is missing");
        var floor = _epochFloor.Number(0);
        _epochFloor.Reset();
        return floor >= 0 ? floor : throw SqliteFailure.DamagedRow("the epoch floor is none");
    }

    private void Put(
        PartitionKey key, in Header old, in Stamp stamp, in Stamp generation, RootPlace root, long? deletedAt, ReadOnlySpan<byte> inline)
    {
        var put = old.RowId == 0 ? _insert.Bind(1, key).BindLong(8, key) : _update.Bind(1, old.RowId);
        BindRows(put.Bind(2, stamp), 3, generation, 5).Bind(4, (long)root);
        if (deletedAt is { } time)
            put.Bind(6, time);
        else
            put.BindNull(6);
        BindValue(put, 7, root, inline).Run();
    }

    private static string Exchange(string row) =>
        $"UPDATE header SET stamp = ?3, root = 1, value = ?4 WHERE {row} AND stamp = ?2 AND owner IS ?5 AND root < 2 AND deleted_at IS NULL AND {StoredHeader.KeepsSound}";

    private static Statement BindRows(Statement statement, int parameter, in Stamp generation, int hasRows) => generation.IsAbsent
        ? statement.BindNull(parameter).Bind(hasRows, 0)
        : statement.Bind(parameter, generation).Bind(hasRows, 1);

    private static Statement BindValue(Statement statement, int parameter, RootPlace root, ReadOnlySpan<byte> inline) =>
        root == RootPlace.Inline ? statement.Bind(parameter, inline) : statement.BindNull(parameter);
}
