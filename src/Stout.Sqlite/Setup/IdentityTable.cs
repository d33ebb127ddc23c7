using SQLitePCL;
using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Setup;

/// <summary>A file's table <c>identity</c>, which says which set the file belongs to.</summary>
internal static class IdentityTable
{
    /// <summary>Writes a new file's identity.</summary>
    public static void Write(Connection connection, PartitionIdentity identity)
    {
        connection.Prepare("INSERT INTO identity VALUES (CAST(?1 AS TEXT), ?2, ?3, ?4, ?5, CAST(?6 AS TEXT), ?7)")
            .Bind(1, identity.Layout).Bind(2, identity.Version).Bind(3, identity.SetId.ToByteArray(bigEndian: true))
            .Bind(4, identity.Partition).Bind(5, identity.Partitions).Bind(6, identity.Hash).Bind(7, identity.IsReady ? 1 : 0)
            .Run();
        connection.Execute($"PRAGMA application_id = {Layout.ApplicationId}; PRAGMA user_version = {Layout.Version}");
    }

    /// <summary>Reads a file's identity.</summary>
    /// <exception cref="StoreException">It is not a file of ours, not of this version, or damaged.</exception>
    public static PartitionIdentity Read(string path, TimeSpan busyTimeout)
    {
        var name = Path.GetFileName(path);
        var file = new FileInfo(path);
        if (file.LinkTarget is not null)
            throw Foreign("is a symbolic link; give the path of the file itself, beside which its log and its lock are");
        if (file.Length == 0)
            throw Foreign("is empty");
        try
        {
            using var connection = Connection.OpenForReading(path, busyTimeout);
            if (connection.Integer("PRAGMA application_id") != Layout.ApplicationId)
                throw Foreign("is an SQLite database that this library has not made");
            if (connection.Integer("PRAGMA user_version") is var version && version != Layout.Version)
                throw Foreign($"has version {version} of the layout; this library has version {Layout.Version}");

            // A hostile trigger would run with our writes, and lead into the code of extensions.
            if (connection.Integer("SELECT count(*) FROM sqlite_master WHERE type = 'trigger' OR sql LIKE 'CREATE VIRTUAL%'") != 0)
                throw Foreign("has triggers or virtual tables, which this library does not make");
            var row = connection.Prepare("SELECT layout, version, set_id, partition, partitions, hash, ready FROM identity");
            if (!row.Step())
                throw new StoreException(StoreErrorKind.Corrupt, $"{name} is damaged: it does not say which set it belongs to.");
            return new PartitionIdentity(
                row.Text(0), (int)row.Integer(1), new Guid(row.Blob(2), bigEndian: true), (int)row.Integer(3), (int)row.Integer(4), row.Text(5), row.Integer(6) != 0);
        }
        catch (SqliteFailure failure)
        {
            throw failure.Primary switch
            {
                raw.SQLITE_NOTADB => Foreign("is not an SQLite database", failure),
                raw.SQLITE_CORRUPT or raw.SQLITE_ERROR => new StoreException(StoreErrorKind.Corrupt, $"{name} is damaged.", failure),
                _ => failure.AsNotApplied(),
            };
        }

        StoreException Foreign(string what, Exception? cause = null) => new(StoreErrorKind.Foreign, $"{name} {what}.", cause);
    }
}
