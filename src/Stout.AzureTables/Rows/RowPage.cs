using Azure.Data.Tables;

namespace Stout.AzureTables.Rows;

/// <summary>One page of a query's rows.</summary>
/// <param name="Rows">The rows; a page can be empty without being the last.</param>
/// <param name="Next">The start of the next page; null for the last page.</param>
internal sealed record RowPage(IReadOnlyList<TableEntity> Rows, string? Next);
