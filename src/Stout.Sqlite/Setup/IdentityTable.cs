using SQLitePCL;
using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Setup;

/// <summary>A file's table <c>identity</c>, which names the set of the file.</summary>
internal static class IdentityTable
{
    /// <summary>Writes a new file's identity.</summary>
    public static void Write(Connection connection, PartitionIdentity identity)
    {
        connection.Prepare("INSERT INTO identity VALUES (CAST(?1 AS TEXT), ?2, ?3, ?4, ?5, CAST(?6 AS TEXT), ?7, 0)")
            .Bind(1, identity.Layout).Bind(2, identity.Version).Bind(3, identity.SetId.ToByteArray(bigEndian: true))
            .Bind(4, identity.Partition).Bind(5, identity.Partitions).Bind(6, identity.Hash).Bind(7, identity.IsReady ? 1 : 0)
            .Run();
        connection.Execute($"PRAGMA application_id = {Layout.ApplicationId}; PRAGMA user_version = {Layout.Version}");
    }

    /// <summary>Reads a file's identity.</summary>
    /// <param name="path">The file.</param>
    /// <param name="name">The file's name in messages.</param>
    /// <param name="busyTimeout">The longest wait for another process.</param>
    /// <exception cref="StoreException">The file is foreign, of another version, or damaged.</exception>
    public static PartitionIdentity Read(string path, string name, TimeSpan busyTimeout)
    {
        var file = new FileInfo(path);
        if (file.LinkTarget is not null)
            throw LayoutMismatch("is a symbolic link; give the path of the file itself, beside which its log and its lock are");
        if (file.Length == 0)
            throw LayoutMismatch("is empty");
        try
        {
            using var connection = Connection.OpenForReading(path, busyTimeout);
            if (connection.Integer("PRAGMA application_id") != Layout.ApplicationId)
                throw LayoutMismatch("is an SQLite database that this library has not made");
            if (connection.Integer("PRAGMA user_version") is var version && version != Layout.Version)
                throw LayoutMismatch($"has version {version} of the layout; this library has version {Layout.Version}");

            SchemaCheck.Run(connection, name);
            var row = connection.Prepare("SELECT layout, version, set_id, partition, partitions, hash, ready FROM identity");
            if (!row.Step())
                throw SqliteFailure.DamagedRow("it does not say which set it belongs to");
            var identity = ReadRow(row);
            return row.Step() ? throw SqliteFailure.DamagedRow("it says more than once which set it belongs to") : identity;
        }
        catch (SqliteFailure failure)
        {
            throw failure.Primary switch
            {
                raw.SQLITE_NOTADB => LayoutMismatch("is not an SQLite database", failure),
                raw.SQLITE_CORRUPT or raw.SQLITE_ERROR => new StoreException(StoreErrorKind.Corrupt, $"{name} is damaged.", failure),
                _ => SqliteErrors.Classify(failure),
            };
        }

        static PartitionIdentity ReadRow(Statement row)
        {
            var setId = row.Bytes(2);
            if (setId.Length != 16)
                throw SqliteFailure.DamagedRow("the set's id has a wrong length");
            return new PartitionIdentity(
                row.Text(0), Small(row.Number(1)), new Guid(setId, bigEndian: true), Small(row.Number(3)), Small(row.Number(4)), row.Text(5), row.Flag(6));
        }

        static int Small(long number) => number is >= 0 and <= int.MaxValue ? (int)number : throw SqliteFailure.DamagedRow("a number is too large");

        StoreException LayoutMismatch(string what, Exception? cause = null) => new(StoreErrorKind.LayoutMismatch, $"{name} {what}.", cause);
    }
}
