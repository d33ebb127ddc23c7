using Azure;
using Azure.Data.Tables;
using Stout.AzureTables.Rows;
using Stout.AzureTables.Transactions;
using Stout.Storage;

namespace Stout.AzureTables.Service;

/// <summary>
/// One table partition, with the time limit and circuit breaker of its calls. The paths of requests contain no row key, since paths appear in logs and
/// traces.
/// </summary>
/// <remarks>To the breaker, an answer of any status is a success: the breaker opens only for a partition that does not answer.</remarks>
internal sealed class PartitionTable(TableClient table, Uri endpoint, int index, StoreCalls calls)
{
    /// <summary>The table partition's name.</summary>
    public string Name { get; } = Layout.PartitionName(index);

    /// <summary>Creates the table if it is missing.</summary>
    public async ValueTask CreateTableAsync(CancellationToken cancellationToken) => await CallAsync(
        static async (table, _, token) =>
        {
            await table.CreateIfNotExistsAsync(token).ConfigureAwait(false);
            return true;
        },
        0,
        cancellationToken).ConfigureAwait(false);

    public TransactionBody NewTransaction() => new($"{endpoint.AbsoluteUri.TrimEnd('/')}/{table.Name}", Name);

    /// <summary>Commits a transaction.</summary>
    /// <exception cref="StoreException">The outcome is unknown, or the transaction was certainly not applied; the kind tells.</exception>
    public ValueTask<TransactionAnswer> CommitAsync(TransactionBody body, CancellationToken cancellationToken) =>
        CallAsync(TransactionPolicy.CommitAsync, body, cancellationToken);

    /// <summary>Commits a transaction whose first operation has a condition.</summary>
    /// <returns>The first row's ETag; null if the condition failed, or if the answer lacks the ETag.</returns>
    /// <exception cref="StoreException">As <see cref="CommitAsync"/>; also for each other refusal.</exception>
    public async ValueTask<ETag?> CommitOneAsync(TransactionBody body, CancellationToken cancellationToken)
    {
        var answer = await CommitAsync(body, cancellationToken).ConfigureAwait(false);
        if (answer.ETags is null && !AzureTablesErrors.IsFailedCondition(answer.Status, answer.Code))
            throw AzureTablesErrors.Classify(answer.Status, answer.Code);
        return answer.ETags is [{ } etag, ..] ? etag : null;
    }

    /// <summary>Requests one page of a query's rows.</summary>
    public ValueTask<RowPage> QueryAsync(RowQuery query, CancellationToken cancellationToken) => CallAsync(QueryAsync, query, cancellationToken);

    /// <summary>The row with a key, or null.</summary>
    public async ValueTask<TableEntity?> FindAsync(string row, IReadOnlyList<string>? select, CancellationToken cancellationToken)
    {
        var (rows, _) = await QueryAllAsync(RowQuery.One(Name, row) with { Select = select }, cancellationToken).ConfigureAwait(false);
        return rows.Count == 0 ? null : rows[0];
    }

    /// <summary>All rows of a query, and the number of its pages.</summary>
    /// <param name="query">The query.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <param name="batch">The read that makes progress with each page, or null.</param>
    public async ValueTask<(IReadOnlyList<TableEntity> Rows, int Pages)> QueryAllAsync(RowQuery query, CancellationToken cancellationToken, ReadBatch? batch = null)
    {
        var page = await QueryAsync(query, cancellationToken).ConfigureAwait(false);
        batch?.ReportProgress();
        if (page.Next is null)
            return (page.Rows, 1);
        var rows = new List<TableEntity>(page.Rows);
        var pages = 1;
        for (; page.Next is { } next; pages++)
        {
            page = await QueryAsync(query with { From = next }, cancellationToken).ConfigureAwait(false);
            rows.AddRange(page.Rows);
            batch?.ReportProgress();
        }

        return (rows, pages);
    }

    private static async ValueTask<RowPage> QueryAsync(TableClient table, RowQuery query, CancellationToken cancellationToken)
    {
        var pages = table.QueryAsync<TableEntity>(query.Filter, query.Top, query.Select, cancellationToken).AsPages(query.From);
        await foreach (var page in pages.ConfigureAwait(false))
            return new RowPage(page.Values, page.ContinuationToken);
        return new RowPage([], null);
    }

    private async ValueTask<TResult> CallAsync<TState, TResult>(
        Func<TableClient, TState, CancellationToken, ValueTask<TResult>> call, TState state, CancellationToken cancellationToken)
    {
        var (result, error) = await calls.RunAsync(
            static async (x, token) =>
            {
                try
                {
                    return (Result: await x.Call(x.Table, x.State, token).ConfigureAwait(false), Answer: default(StoreException));
                }
                catch (RequestFailedException answer) when (answer.Status != 0)
                {
                    return (Result: default!, Answer: AzureTablesErrors.Classify(answer));
                }
                catch (StoreException answer)
                {
                    return (Result: default!, Answer: answer);
                }
            },
            (Call: call, Table: table, State: state),
            cancellationToken).ConfigureAwait(false);
        return error is null ? result : throw error;
    }
}
