namespace Stout.SqlServer;

/// <summary>The tables of one schema, which <c>deploy/schemas/sqlserver</c> creates.</summary>
internal static class Layout
{
    /// <summary>The layout's name, kept in every database.</summary>
    public const string Name = "stout-sqlserver";

    /// <summary>The layout's version, kept in every database.</summary>
    public const int Version = 3;

    /// <summary>The schema's name in the script and the statements, before replacement.</summary>
    private const string WrittenSchema = "[stout]";

    /// <summary>Replaces the schema's name in a statement.</summary>
    /// <param name="sql">The statement, with the script's schema name.</param>
    /// <param name="schema">The schema's name, a plain identifier.</param>
    public static string In(string schema, string sql) => sql.Replace(WrittenSchema, $"[{schema}]", StringComparison.Ordinal);
}
