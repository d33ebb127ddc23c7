using System.Net;
using Microsoft.Azure.Cosmos;
using Stout.Cosmos.Diagnostics;
using Stout.Cosmos.Items;
using Stout.Storage;
using CosmosPartitionKey = Microsoft.Azure.Cosmos.PartitionKey;

namespace Stout.Cosmos.Requests;

/// <summary>
/// Sends requests to one logical partition, as streams of JSON without the SDK's serializers. Metrics report the requests' charges by their purpose. An
/// answer that an item exists, is missing or has changed is a result. Every other failure is a <see cref="StoreException"/>, so that the circuit breaker sees
/// it.
/// </summary>
internal sealed class PartitionRequests(Container container, int partition, string purpose, StoreCalls calls, RequestUnits units)
{
    private readonly CosmosPartitionKey _key = new(PartitionKeyOf(partition));

    /// <summary>The partition key's value of a store partition.</summary>
    public static string PartitionKeyOf(int partition) => FormattableString.Invariant($"{partition}");

    /// <summary>The same requests for another purpose.</summary>
    public PartitionRequests For(string other) => new(container, partition, other, calls, units);

    /// <summary>Reads a header by its id.</summary>
    /// <returns>The header, or null.</returns>
    /// <exception cref="StoreException">The header is damaged, or the store failed.</exception>
    public async ValueTask<StoredItem?> ReadAsync(string id, CancellationToken cancellationToken) =>
        await ReadJsonAsync(id, cancellationToken).ConfigureAwait(false) is { } json ? ItemReader.ReadOne(json).AsHeader() : null;

    /// <summary>Reads an item as JSON.</summary>
    /// <returns>The item, or null.</returns>
    public ValueTask<ReadOnlyMemory<byte>?> ReadJsonAsync(string id, CancellationToken cancellationToken) =>
        calls.RunAsync(static (x, token) => x.Self.ReadOnceAsync(x.Id, token), (Self: this, Id: id), cancellationToken);

    /// <summary>Executes all operations, or no operation. A single one is a point operation without a transaction.</summary>
    public ValueTask<TransactionAnswer> ExecuteAsync(IReadOnlyList<ItemOperation> operations, CancellationToken cancellationToken) =>
        calls.RunAsync(
            static (x, token) => x.Operations.Count == 1 ? x.Self.SendOneAsync(x.Operations[0], token) : x.Self.SendBatchAsync(x.Operations, token),
            (Self: this, Operations: operations),
            cancellationToken);

    /// <summary>
    /// Writes another owner into a header that still has the owner that was read, and still has an object if it had one. Unless <paramref name="isExact"/>,
    /// the service does not compare the ETag, which each write changes: an active owner could always write between the read and the claim.
    /// </summary>
    /// <param name="header">The header that was read.</param>
    /// <param name="owner">The new owner.</param>
    /// <param name="isExact">Whether the header's version must be unchanged, too.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>The new header; null if it is missing, or has changed.</returns>
    public async ValueTask<StoredItem?> ClaimAsync(StoredItem header, KeyOwner owner, bool isExact, CancellationToken cancellationToken)
    {
        var json = await calls.RunAsync(
            static (x, token) => x.Self.ClaimOnceAsync(x.Header, x.Owner, x.IsExact, token),
            (Self: this, Header: header, Owner: owner, IsExact: isExact),
            cancellationToken).ConfigureAwait(false);
        return json is { } claimed ? ItemReader.ReadOne(claimed).AsHeader() : null;
    }

    /// <summary>Reads the items whose ids have a prefix. Each page shows the items as of one moment.</summary>
    /// <returns>The number of pages.</returns>
    public async ValueTask<int> QueryAsync(string select, string prefix, List<StoredItem> items, CancellationToken cancellationToken, ReadBatch? batch = null)
    {
        var query = new QueryDefinition($"SELECT {select} FROM c WHERE c.pk = @pk AND STARTSWITH(c.id, @prefix)")
            .WithParameter("@pk", PartitionKeyOf(partition)).WithParameter("@prefix", prefix);
        using var pages = container.GetItemQueryStreamIterator(
            query, requestOptions: new QueryRequestOptions { PartitionKey = _key, MaxItemCount = -1 });
        var count = 0;
        for (; pages.HasMoreResults; count++)
        {
            var page = await calls.RunAsync(static (x, token) => x.Self.ReadPageAsync(x.Pages, token), (Self: this, Pages: pages), cancellationToken)
                .ConfigureAwait(false);
            ItemReader.ReadPage(page, items);
            batch?.ReportProgress();
        }

        return count;
    }

    /// <summary>Reads one page of the headers whose ids have a prefix: their ids, whether their objects are deleted, and long keys.</summary>
    /// <returns>The continuation; null after the last page.</returns>
    public async ValueTask<string?> ListAsync(string prefix, int most, string? continuation, List<StoredItem> headers, CancellationToken cancellationToken)
    {
        var query = new QueryDefinition("SELECT c.id, c.x, c.k FROM c WHERE c.pk = @pk AND STARTSWITH(c.id, @prefix) AND ENDSWITH(c.id, @header)")
            .WithParameter("@pk", PartitionKeyOf(partition)).WithParameter("@prefix", prefix).WithParameter("@header", ItemIds.HeaderOf(""));
        var (json, next) = await calls.RunAsync(
            static (x, token) => x.Self.ListOnceAsync(x.Query, x.Most, x.Continuation, token),
            (Self: this, Query: query, Most: most, Continuation: continuation),
            cancellationToken).ConfigureAwait(false);
        ItemReader.ReadPage(json, headers);
        return next;
    }

    private async ValueTask<(ReadOnlyMemory<byte> Json, string? Next)> ListOnceAsync(QueryDefinition query, int most, string? continuation, CancellationToken token)
    {
        using var pages = container.GetItemQueryStreamIterator(query, continuation, new QueryRequestOptions { PartitionKey = _key, MaxItemCount = most });
        using var response = await pages.ReadNextAsync(token).ConfigureAwait(false);
        Charge(response.Headers);
        return (await ContentOfAsync(response, token).ConfigureAwait(false), pages.HasMoreResults ? response.ContinuationToken : null);
    }

    private async ValueTask<ReadOnlyMemory<byte>?> ReadOnceAsync(string id, CancellationToken token)
    {
        using var response = await container.ReadItemStreamAsync(id, _key, cancellationToken: token).ConfigureAwait(false);
        Charge(response.Headers);
        if (response.StatusCode == HttpStatusCode.NotFound && CosmosErrors.SubStatusOf(response.Headers) == 0)
            return null;
        return await ContentOfAsync(response, token).ConfigureAwait(false);
    }

    private async ValueTask<ReadOnlyMemory<byte>?> ClaimOnceAsync(StoredItem header, KeyOwner owner, bool isExact, CancellationToken token)
    {
        var options = new PatchItemRequestOptions
        {
            FilterPredicate = UnchangedSince(header),
            IfMatchEtag = isExact ? header.ETag : null,
            EnableContentResponseOnWrite = true,
        };
        using var response = await container
            .PatchItemStreamAsync(header.Id, _key, [PatchOperation.Set("/o", owner.ToHex())], options, token)
            .ConfigureAwait(false);
        Charge(response.Headers);
        if (TransactionAnswer.IsCondition(response.StatusCode) && CosmosErrors.SubStatusOf(response.Headers) == 0)
            return null;
        return await ContentOfAsync(response, token).ConfigureAwait(false);
    }

    /// <summary>
    /// The condition of a claim. A deletion keeps the owner, and gives the header a time to live. A claim must raise the epoch floor before it changes such a
    /// header. So if the claim has read an object, the condition is also that the object still exists.
    /// </summary>
    private static string UnchangedSince(StoredItem header)
    {
        var owner = header.Owner == KeyOwner.None ? "NOT IS_DEFINED(c.o)" : $"c.o = \"{header.Owner.ToHex()}\"";
        return header.IsDeleted ? $"FROM c WHERE {owner}" : $"FROM c WHERE {owner} AND NOT IS_DEFINED(c.x)";
    }

    private async ValueTask<ReadOnlyMemory<byte>> ReadPageAsync(FeedIterator pages, CancellationToken token)
    {
        using var response = await pages.ReadNextAsync(token).ConfigureAwait(false);
        Charge(response.Headers);
        return await ContentOfAsync(response, token).ConfigureAwait(false);
    }

    private async ValueTask<TransactionAnswer> SendOneAsync(ItemOperation operation, CancellationToken token)
    {
        var options = new ItemRequestOptions { IfMatchEtag = operation.ETag, EnableContentResponseOnWrite = false };
        using var response = await (operation.Kind switch
        {
            ItemOperationKind.Create => container.CreateItemStreamAsync(operation.Body, _key, options, token),
            ItemOperationKind.Upsert => container.UpsertItemStreamAsync(operation.Body, _key, options, token),
            ItemOperationKind.Replace => container.ReplaceItemStreamAsync(operation.Body, operation.Id, _key, options, token),
            _ => container.DeleteItemStreamAsync(operation.Id, _key, options, token),
        }).ConfigureAwait(false);
        Charge(response.Headers);
        if (response.IsSuccessStatusCode)
            return TransactionAnswer.Committed([response.Headers.ETag ?? ""]);
        if (TransactionAnswer.IsCondition(response.StatusCode) && CosmosErrors.SubStatusOf(response.Headers) == 0)
            return TransactionAnswer.FailedAt(0, response.StatusCode);
        throw CosmosErrors.Classify(response);
    }

    private async ValueTask<TransactionAnswer> SendBatchAsync(IReadOnlyList<ItemOperation> operations, CancellationToken token)
    {
        var batch = container.CreateTransactionalBatch(_key);
        foreach (var operation in operations)
        {
            var options = new TransactionalBatchItemRequestOptions { IfMatchEtag = operation.ETag, EnableContentResponseOnWrite = false };
            _ = operation.Kind switch
            {
                ItemOperationKind.Create => batch.CreateItemStream(operation.Body, options),
                ItemOperationKind.Upsert => batch.UpsertItemStream(operation.Body, options),
                ItemOperationKind.Replace => batch.ReplaceItemStream(operation.Id, operation.Body, options),
                _ => batch.DeleteItem(operation.Id, options),
            };
        }

        using var response = await batch.ExecuteAsync(token).ConfigureAwait(false);
        Charge(response.Headers);
        if (!response.IsSuccessStatusCode)
            return TransactionAnswer.FailedAt(FailedOperationOf(response, operations.Count), response.StatusCode);
        var etags = new string[operations.Count];
        for (var i = 0; i < etags.Length; i++)
            etags[i] = response[i].ETag ?? "";
        return TransactionAnswer.Committed(etags);
    }

    // The failed operation has its own status, and the others have 424. If all have the same status, the request itself has failed.
    private static int FailedOperationOf(TransactionalBatchResponse response, int operations)
    {
        var failed = -1;
        for (var i = 0; i < response.Count && response.Count == operations; i++)
        {
            if (response[i].StatusCode == HttpStatusCode.FailedDependency)
                continue;
            if (failed >= 0)
                throw CosmosErrors.Classify(response);
            failed = i;
        }

        // Other statuses concern more than the operation's item, so they fail the whole request.
        return failed >= 0 && (TransactionAnswer.IsCondition(response.StatusCode) || response.StatusCode == HttpStatusCode.RequestEntityTooLarge)
            ? failed
            : throw CosmosErrors.Classify(response);
    }

    private static async ValueTask<ReadOnlyMemory<byte>> ContentOfAsync(ResponseMessage response, CancellationToken token)
    {
        if (!response.IsSuccessStatusCode)
            throw CosmosErrors.Classify(response);
        var content = new MemoryStream();
        await response.Content.CopyToAsync(content, token).ConfigureAwait(false);
        return content.GetBuffer().AsMemory(0, (int)content.Length);
    }

    private void Charge(Headers? headers) => units.Add(headers?.RequestCharge ?? 0, partition, purpose);
}
