namespace Stout.SqlServer.Setup;

/// <summary>The script in <c>deploy/schemas/sqlserver</c>.</summary>
internal static class SchemaScript
{
    /// <summary>The script's batches, separated by lines of <c>GO</c>, for a schema. Each can be repeated.</summary>
    public static IReadOnlyList<string> BatchesFor(string schema)
    {
        using var resource = typeof(SchemaScript).Assembly.GetManifestResourceStream("schema/1.sql")!;
        using var reader = new StreamReader(resource);
        var script = Layout.In(schema, reader.ReadToEnd()).Replace("SCHEMA_ID(N'stout')", $"SCHEMA_ID(N'{schema}')", StringComparison.Ordinal);
        return [.. script.ReplaceLineEndings("\n").Split("\nGO\n", StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)];
    }
}
