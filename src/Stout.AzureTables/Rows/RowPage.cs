using Azure.Data.Tables;

namespace Stout.AzureTables.Rows;

/// <summary>One page of a query's rows.</summary>
/// <param name="Rows">The rows; a page can be empty and yet not be the last.</param>
/// <param name="Next">Where the next page begins; null: this is the last.</param>
internal sealed record RowPage(IReadOnlyList<TableEntity> Rows, string? Next);
