namespace Stout.SqlServer.Reading;

/// <summary>Lists headers in the order of their stored keys.</summary>
internal sealed class ListStatement(string schema)
{
    public const string Most = "@most";
    public const string After = "@after";
    public const string Before = "@before";

    public string Text { get; } = Layout.In(
        schema,
        """
        SELECT TOP (@most) [key], CASE WHEN deleted_at IS NULL THEN 1 ELSE 0 END, long_key
        FROM [stout].[header] WHERE [key] > @after AND [key] < @before ORDER BY [key];
        """);
}
