namespace Stout.Sqlite;

/// <summary>The SQL schema of one database file, and its constants.</summary>
/// <remarks>The tables <c>header</c> and <c>part</c> keep SQLite's rowid. A table <c>WITHOUT ROWID</c> stores its rows in the tree of the key. In this
/// tree, a page of 4 KiB keeps at most 1,002 bytes of a row. Such tables were measured with 64 random rows a transaction. With values of 1 KiB, updates ran
/// at 45 % and inserts at 30 % of the speed with a rowid. The file was 3.3 times as large. With values of 100 bytes, updates were a tenth faster and
/// inserts a third slower than with a rowid.
/// </remarks>
internal static class Layout
{
    /// <summary>The application id in the SQLite header of the file: "Stou" in ASCII.</summary>
    public const int ApplicationId = 0x53746F75;

    /// <summary>The layout's name, kept in every file.</summary>
    public const string Id = "stout-sqlite";

    /// <summary>The layout's version, kept in every file.</summary>
    public const int Version = 4;

    /// <summary>
    /// The page size. Every transaction writes the changed pages to the log, so larger pages cost more for each changed row. Pages of 4 KiB were measured
    /// with transactions of 64 random rows. Compared with 2 KiB, they took a tenth (values of 90 bytes) to a third (1,000 bytes) more processor time. With
    /// values of 20 KB they took a quarter less.
    /// </summary>
    public const int PageBytes = 2_048;

    /// <summary>
    /// The statements that create the tables. <c>header.key</c> is the row key. <c>header.long_key</c> is the whole key if that is longer (<see
    /// cref="Storage.LongKeys"/>), otherwise null. <c>header.stamp</c> is null for a key that was claimed and never written. <c>header.root</c> is a <see
    /// cref="Storage.RootPlace"/>. <c>header.has_rows</c> says whether the present generation has had rows in <c>part</c>. If it has, <c>header.generation</c> is
    /// the stamp of the write that made the first of these rows. Otherwise <c>header.generation</c> is null, which shortens the rows of most objects.
    /// <c>header.deleted_at</c> is the time of the deletion, or of a later claim, in milliseconds since 1970; it is null while the object exists.
    /// <c>header.owner</c> is null for a key that was never claimed. <c>identity.epoch_floor</c> is the largest epoch of the headers that were removed.
    /// <c>garbage</c> names the keys that may have rows of dead generations. The view <c>entry</c> shows keys and values to people; this library does not
    /// read it. SQLite keeps the text of this schema in every file, and a file with another text is refused. So a changed text needs a new <see
    /// cref="Version"/>.
    /// </summary>
    public static string Schema { get; } = """
        CREATE TABLE identity (
            layout TEXT NOT NULL, version INTEGER NOT NULL, set_id BLOB NOT NULL, partition INTEGER NOT NULL,
            partitions INTEGER NOT NULL, hash TEXT NOT NULL, ready INTEGER NOT NULL, epoch_floor INTEGER NOT NULL);
        CREATE TABLE header (
            key BLOB NOT NULL UNIQUE, stamp BLOB, generation BLOB, root INTEGER NOT NULL,
            has_rows INTEGER NOT NULL, deleted_at INTEGER, value BLOB, owner BLOB, long_key BLOB);
        CREATE INDEX deleted_header ON header (deleted_at) WHERE deleted_at IS NOT NULL;
        CREATE TABLE part (
            key BLOB NOT NULL, generation BLOB NOT NULL, subkey BLOB NOT NULL, value BLOB NOT NULL,
            UNIQUE (key, generation, subkey));
        CREATE TABLE garbage (key BLOB NOT NULL PRIMARY KEY) WITHOUT ROWID;
        CREATE VIEW entry AS
            SELECT CAST(coalesce(long_key, key) AS TEXT) AS key, '' AS subkey, value FROM header WHERE root = 1
            UNION ALL
            SELECT CAST(coalesce(h.long_key, p.key) AS TEXT), CAST(p.subkey AS TEXT), p.value
            FROM header h JOIN part p ON p.key = h.key AND p.generation = h.generation
            WHERE h.deleted_at IS NULL;
        """.ReplaceLineEndings("\n");
}
