using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Setup;

/// <summary>
/// Checks, before reading any table, that a file has exactly this library's schema. Another schema's triggers, views, virtual
/// tables, generated columns and indexes on expressions could run foreign SQL.
/// </summary>
internal static class SchemaCheck
{
    private static readonly Lazy<HashSet<(string Type, string Name, string Table, string Sql)>> Expected = new(ReadOwn);

    /// <param name="connection">A connection to the file.</param>
    /// <param name="name">The file's name in messages.</param>
    /// <exception cref="StoreException">The file has another schema.</exception>
    /// <exception cref="SqliteFailure">The schema cannot be read.</exception>
    public static void Run(Connection connection, string name)
    {
        if (!Read(connection, Expected.Value.Count).SetEquals(Expected.Value))
            throw new StoreException(StoreErrorKind.LayoutMismatch, $"{name} has a schema that this library does not make: a table, index, view or trigger too many, too few, or changed.");
    }

    private static HashSet<(string, string, string, string)> ReadOwn()
    {
        using var own = Connection.OpenInMemory();
        own.Execute(Layout.Schema);
        return Read(own, int.MaxValue);
    }

    /// <summary>Reads the catalog, without running anything in it.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="most">The expected number of objects; reading stops beyond it.</param>
    private static HashSet<(string, string, string, string)> Read(Connection connection, int most)
    {
        var found = new HashSet<(string, string, string, string)>();
        var roots = new HashSet<long>();
        using var rows = connection.Query("SELECT type, name, tbl_name, coalesce(sql, ''), rootpage FROM sqlite_schema");
        while (rows.Statement.Step())
        {
            var row = rows.Statement;
            var isNew = found.Add((row.Text(0), row.Text(1), row.Text(2), row.Text(3)));

            // Two tables on the same pages would show each other's rows. A view has no page.
            var ownsPages = row.Integer(4) == 0 || roots.Add(row.Integer(4));
            if (!isNew || !ownsPages || found.Count > most)
                return [];
        }

        return found;
    }
}
