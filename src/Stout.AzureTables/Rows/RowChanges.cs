using Azure;
using Azure.Data.Tables;

namespace Stout.AzureTables.Rows;

/// <summary>The operations of one entity group transaction. Their rows are in one table partition, and no row is named twice.</summary>
/// <param name="partition">The table partition.</param>
internal sealed class RowChanges(string partition)
{
    /// <summary>The most entities that one transaction takes.</summary>
    public const int MaxEntities = 100;

    /// <summary>The most bytes that one transaction takes.</summary>
    public const int MaxBytes = 4 << 20;

    private readonly List<TableTransactionAction> _actions = [];

    /// <summary>The operations, in their order.</summary>
    public IReadOnlyList<TableTransactionAction> Actions => _actions;

    /// <summary>Adds a row that must not be there.</summary>
    /// <returns>The row, for its properties.</returns>
    public TableEntity Insert(string row) => Add(TableTransactionActionType.Add, row, default);

    /// <summary>Writes a row anew, over whatever there is.</summary>
    /// <returns>The row, for its properties.</returns>
    public TableEntity Put(string row) => Add(TableTransactionActionType.UpsertReplace, row, default);

    /// <summary>Writes a row anew over the one with this ETag.</summary>
    /// <returns>The row, for its properties.</returns>
    public TableEntity Replace(string row, ETag etag) => Add(TableTransactionActionType.UpdateReplace, row, etag);

    /// <summary>Changes some properties of the row with this ETag.</summary>
    /// <returns>The row, for the properties that change.</returns>
    public TableEntity Merge(string row, ETag etag) => Add(TableTransactionActionType.UpdateMerge, row, etag);

    /// <summary>Removes the row with this ETag; it must be there.</summary>
    public void Delete(string row, ETag etag) => Add(TableTransactionActionType.Delete, row, etag);

    private TableEntity Add(TableTransactionActionType type, string row, ETag etag)
    {
        var entity = new TableEntity(partition, row);
        _actions.Add(new TableTransactionAction(type, entity, etag));
        return entity;
    }
}
