namespace Stout.SqlServer.Setup;

/// <summary>The script in <c>deploy/schemas/sqlserver</c>.</summary>
internal static class SchemaScript
{
    /// <summary>Its batches, which lines of <c>GO</c> separate, for a schema. Each can be run again.</summary>
    public static IReadOnlyList<string> BatchesFor(string schema)
    {
        using var resource = typeof(SchemaScript).Assembly.GetManifestResourceStream("schema/1.sql")!;
        using var reader = new StreamReader(resource);
        var script = Layout.In(schema, reader.ReadToEnd()).Replace("SCHEMA_ID(N'stout')", $"SCHEMA_ID(N'{schema}')", StringComparison.Ordinal);
        return [.. script.ReplaceLineEndings("\n").Split("\nGO\n", StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)];
    }
}
