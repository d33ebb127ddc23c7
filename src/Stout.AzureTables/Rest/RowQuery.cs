using Azure.Core;

namespace Stout.AzureTables.Rest;

/// <summary>Which rows of a table partition are asked for. Rows come in the order of their keys.</summary>
internal sealed record RowQuery
{
    private const int RowsOfPage = 1_000;

    private RowQuery(string partition, string rows) => Filter = $"PartitionKey eq '{partition}' and {rows}";

    /// <summary>OData's filter. The keys in it have no quotes.</summary>
    public string Filter { get; }

    /// <summary>Only these properties, separated by commas; null: all.</summary>
    public string? Select { get; init; }

    /// <summary>The most rows of a page, 1 to 1,000.</summary>
    public int Top { get; init; } = RowsOfPage;

    /// <summary>Where the page before ended.</summary>
    public (string Partition, string? Row)? From { get; init; }

    public static RowQuery One(string partition, string row) => new(partition, $"RowKey eq '{row}'");

    public static RowQuery Range(string partition, string first, string end) => new(partition, $"RowKey ge '{first}' and RowKey lt '{end}'");

    public static RowQuery Prefix(string partition, string prefix) => Range(partition, prefix, RowKeys.EndOf(prefix));

    public void AddTo(RequestUriBuilder address)
    {
        address.AppendQuery("$filter", Filter);
        if (Select is not null)
            address.AppendQuery("$select", Select);
        if (Top < RowsOfPage)
            address.AppendQuery("$top", Top.ToString(System.Globalization.CultureInfo.InvariantCulture));
        if (From is not { } from)
            return;
        address.AppendQuery("NextPartitionKey", from.Partition);
        if (from.Row is not null)
            address.AppendQuery("NextRowKey", from.Row);
    }
}
