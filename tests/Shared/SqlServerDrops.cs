namespace Stout.Tests.Shared;

/// <summary>Removes the objects of Stout.SqlServer in a schema, and the schema. T-SQL can't drop a schema with its contents.</summary>
internal static class SqlServerDrops
{
    private static readonly string[] Things =
    [
        "VIEW IF EXISTS [{0}].[entry]", "FUNCTION IF EXISTS [{0}].[as_text]", "TYPE IF EXISTS [{0}].[key_write]",
        "TYPE IF EXISTS [{0}].[part_write]", "TYPE IF EXISTS [{0}].[key_read]", "TYPE IF EXISTS [{0}].[key_long]", "TABLE IF EXISTS [{0}].[garbage]",
        "TABLE IF EXISTS [{0}].[part]", "TABLE IF EXISTS [{0}].[epoch_floor]", "TABLE IF EXISTS [{0}].[header]", "TABLE IF EXISTS [{0}].[layout]", "SCHEMA IF EXISTS [{0}]",
    ];

    /// <summary>The statements, which must be executed one by one.</summary>
    public static IEnumerable<string> Of(string schema) => Things.Select(thing => "DROP " + thing.Replace("{0}", schema, StringComparison.Ordinal));
}
