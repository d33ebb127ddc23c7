using Stout.AzureTables.Rest;
using Stout.Storage;

namespace Stout.AzureTables;

/// <summary>One table partition, called with its time limit and its circuit breaker.</summary>
/// <remarks>An answer is an answer to the breaker, whatever its status: it is for partitions that do not answer.</remarks>
internal sealed class PartitionTable(TableService service, int index, StoreCalls calls)
{
    /// <summary>Its place among the store partitions.</summary>
    public int Index => index;

    /// <summary>The table partition's name.</summary>
    public string Name { get; } = Layout.PartitionName(index);

    public async ValueTask<bool> CreateTableAsync(CancellationToken cancellationToken) =>
        await CallAsync(static (service, _, token) => service.CreateTableAsync(token), 0, cancellationToken).ConfigureAwait(false);

    public TransactionBody NewTransaction() => new(service.TableAddress, Name);

    /// <exception cref="StoreException">Nothing is known of it, or it was certainly not applied; the kind says which.</exception>
    public ValueTask<TransactionAnswer> CommitAsync(TransactionBody body, CancellationToken cancellationToken) =>
        CallAsync(static (service, body, token) => service.CommitAsync(body, token), body, cancellationToken);

    public ValueTask<RowPage> QueryAsync(RowQuery query, CancellationToken cancellationToken) =>
        CallAsync(static (service, query, token) => service.QueryAsync(query, token), query, cancellationToken);

    /// <summary>The one row of a key, or null.</summary>
    public async ValueTask<Row?> FindAsync(string row, string? select, CancellationToken cancellationToken)
    {
        var (rows, _) = await QueryAllAsync(RowQuery.One(Name, row) with { Select = select }, cancellationToken).ConfigureAwait(false);
        return rows.Count == 0 ? null : rows[0];
    }

    /// <summary>All rows of a query, and how many pages they came in.</summary>
    public async ValueTask<(IReadOnlyList<Row> Rows, int Pages)> QueryAllAsync(RowQuery query, CancellationToken cancellationToken)
    {
        var page = await QueryAsync(query, cancellationToken).ConfigureAwait(false);
        if (page.Next is null)
            return (page.Rows, 1);
        var rows = new List<Row>(page.Rows);
        var pages = 1;
        for (; page.Next is { } next; pages++)
        {
            page = await QueryAsync(query with { From = next }, cancellationToken).ConfigureAwait(false);
            rows.AddRange(page.Rows);
        }

        return (rows, pages);
    }

    private async ValueTask<TResult> CallAsync<TState, TResult>(
        Func<TableService, TState, CancellationToken, ValueTask<TResult>> call, TState state, CancellationToken cancellationToken)
    {
        var (result, error) = await calls.RunAsync(
            static async (x, token) =>
            {
                try
                {
                    return (Result: await x.Call(x.Service, x.State, token).ConfigureAwait(false), Answer: default(StoreException));
                }
                catch (StoreException answer)
                {
                    return (Result: default!, Answer: answer);
                }
            },
            (Call: call, Service: service, State: state),
            cancellationToken).ConfigureAwait(false);
        return error is null ? result : throw error;
    }
}
