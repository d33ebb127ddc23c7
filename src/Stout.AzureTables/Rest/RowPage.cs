using System.Text.Json;

namespace Stout.AzureTables.Rest;

/// <summary>One page of a query's rows.</summary>
/// <param name="Rows">The rows; a page can be empty and yet not be the last.</param>
/// <param name="Next">Where the next page begins; null: this is the last.</param>
internal sealed record RowPage(IReadOnlyList<Row> Rows, (string Partition, string? Row)? Next)
{
    /// <exception cref="Storage.StoreException">It is not what a page has to be.</exception>
    public static RowPage Read(ReadOnlySpan<byte> body, string? nextPartition, string? nextRow)
    {
        var rows = new List<Row>();
        var json = new Utf8JsonReader(body);
        try
        {
            while (json.Read())
            {
                if (json.TokenType == JsonTokenType.StartObject && json.CurrentDepth > 0)
                    rows.Add(Row.Read(ref json));
            }
        }
        catch (Exception error) when (error is JsonException or FormatException or InvalidOperationException)
        {
            throw TableErrors.Unreadable();
        }

        return new RowPage(rows, string.IsNullOrEmpty(nextPartition) ? null : (nextPartition, nextRow));
    }
}
