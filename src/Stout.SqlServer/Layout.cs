namespace Stout.SqlServer;

/// <summary>The tables of one schema, which <c>deploy/schemas/sqlserver</c> creates.</summary>
internal static class Layout
{
    /// <summary>The layout's name, kept in every database.</summary>
    public const string Name = "stout-sqlserver";

    /// <summary>The layout's version, kept in every database.</summary>
    public const int Version = 3;

    /// <summary>The longest own value of an object in its header row; longer values are rows of the part table.</summary>
    public const int MaxInlineBytes = 4_096;

    /// <summary>The schema's name in the script and the statements, before replacement.</summary>
    private const string WrittenSchema = "[stout]";

    /// <summary>Replaces the schema's name in a statement.</summary>
    /// <param name="sql">The statement, with the script's schema name.</param>
    /// <param name="schema">The schema's name, a plain identifier.</param>
    public static string In(string schema, string sql) => sql.Replace(WrittenSchema, $"[{schema}]", StringComparison.Ordinal);
}

/// <summary>The place of an object's own value.</summary>
internal enum RootPlace
{
    /// <summary>The object has no own value.</summary>
    None,

    /// <summary>In the header row.</summary>
    Inline,

    /// <summary>In a row of the part table, under the empty sub-key.</summary>
    Row,
}
