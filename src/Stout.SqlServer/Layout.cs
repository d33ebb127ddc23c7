namespace Stout.SqlServer;

/// <summary>What the tables of one schema hold; <c>deploy/schemas/sqlserver</c> makes them.</summary>
internal static class Layout
{
    /// <summary>The layout's name, kept in every database.</summary>
    public const string Name = "stout-sqlserver";

    /// <summary>The layout's version, kept in every database.</summary>
    public const int Version = 1;

    /// <summary>An object's own bytes up to this length are in its header row; longer ones are a row of the part table.</summary>
    public const int MaxInlineBytes = 4_096;

    /// <summary>The schema that the script and the statements are written with.</summary>
    private const string WrittenSchema = "[stout]";

    /// <summary>A statement for the schema of the options.</summary>
    /// <param name="sql">The statement, with the schema that the script makes.</param>
    /// <param name="schema">The schema's name, which is a plain identifier.</param>
    public static string In(string schema, string sql) => sql.Replace(WrittenSchema, $"[{schema}]", StringComparison.Ordinal);
}

/// <summary>Where an object's own bytes are, as the tables say it.</summary>
internal enum RootPlace
{
    /// <summary>It has none.</summary>
    None,

    /// <summary>In the header row.</summary>
    Inline,

    /// <summary>In a row of the part table, under the empty sub-key.</summary>
    Row,
}
