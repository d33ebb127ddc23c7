namespace Stout.AzureTables.Rows;

/// <summary>A query for rows of a table partition, in the order of their keys.</summary>
internal sealed record RowQuery
{
    private RowQuery(string partition, string rows) => Filter = $"PartitionKey eq '{partition}' and {rows}";

    /// <summary>The OData filter. Encoded keys contain no quotes, so the filter needs no escapes.</summary>
    public string Filter { get; }

    /// <summary>The properties to return; null for all.</summary>
    public IReadOnlyList<string>? Select { get; init; }

    /// <summary>The most rows of a page, 1 to 1,000; null: 1,000.</summary>
    public int? Top { get; init; }

    /// <summary>The continuation of the previous page; null for the first page.</summary>
    public string? From { get; init; }

    public static RowQuery One(string partition, string row) => new(partition, $"RowKey eq '{row}'");

    public static RowQuery Range(string partition, string first, string end) => new(partition, $"RowKey ge '{first}' and RowKey lt '{end}'");

    public static RowQuery Prefix(string partition, string prefix) => Range(partition, prefix, RowKeys.EndOf(prefix));
}
