using System.Net;
using Microsoft.Azure.Cosmos;
using Stout.Cosmos.Requests;
using Stout.Cosmos.Tests.StandIn;
using CosmosPartitionKey = Microsoft.Azure.Cosmos.PartitionKey;

namespace Stout.Cosmos.Tests.Server;

/// <summary>
/// A container of the server from npm. All requests go to the server as the SDK sends them, except for transactional batches, which the server lacks.
/// A batch is executed as point operations, one after the other. Meanwhile no other request reaches the container.
/// </summary>
internal sealed class ServerContainer(Container inner, SemaphoreSlim oneAtATime) : BareContainer
{
    public override Task<ContainerResponse> ReadContainerAsync(ContainerRequestOptions? requestOptions = null, CancellationToken cancellationToken = default) =>
        inner.ReadContainerAsync(requestOptions, cancellationToken);

    public override Task<ResponseMessage> ReadContainerStreamAsync(ContainerRequestOptions? requestOptions = null, CancellationToken cancellationToken = default) =>
        inner.ReadContainerStreamAsync(requestOptions, cancellationToken);

    public override Task<ResponseMessage> ReadItemStreamAsync(
        string id, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = null, CancellationToken cancellationToken = default) =>
        AloneAsync(() => inner.ReadItemStreamAsync(id, partitionKey, requestOptions, cancellationToken), cancellationToken);

    public override Task<ResponseMessage> CreateItemStreamAsync(
        Stream streamPayload, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = null, CancellationToken cancellationToken = default) =>
        AloneAsync(() => inner.CreateItemStreamAsync(streamPayload, partitionKey, requestOptions, cancellationToken), cancellationToken);

    public override Task<ResponseMessage> UpsertItemStreamAsync(
        Stream streamPayload, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = null, CancellationToken cancellationToken = default) =>
        AloneAsync(() => inner.UpsertItemStreamAsync(streamPayload, partitionKey, requestOptions, cancellationToken), cancellationToken);

    public override Task<ResponseMessage> ReplaceItemStreamAsync(
        Stream streamPayload, string id, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = null, CancellationToken cancellationToken = default) =>
        AloneAsync(() => inner.ReplaceItemStreamAsync(streamPayload, id, partitionKey, requestOptions, cancellationToken), cancellationToken);

    public override Task<ResponseMessage> PatchItemStreamAsync(
        string id, CosmosPartitionKey partitionKey, IReadOnlyList<PatchOperation> patchOperations, PatchItemRequestOptions? requestOptions = null,
        CancellationToken cancellationToken = default) =>
        AloneAsync(() => inner.PatchItemStreamAsync(id, partitionKey, patchOperations, requestOptions, cancellationToken), cancellationToken);

    public override Task<ResponseMessage> DeleteItemStreamAsync(
        string id, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = null, CancellationToken cancellationToken = default) =>
        AloneAsync(() => inner.DeleteItemStreamAsync(id, partitionKey, requestOptions, cancellationToken), cancellationToken);

    public override TransactionalBatch CreateTransactionalBatch(CosmosPartitionKey partitionKey) =>
        new BatchStandIn((operations, token) => AloneAsync(() => ExecuteAsync(partitionKey, operations, token), token));

    public override FeedIterator GetItemQueryStreamIterator(
        QueryDefinition queryDefinition, string? continuationToken = null, QueryRequestOptions? requestOptions = null) =>
        new Pages(this, inner.GetItemQueryStreamIterator(queryDefinition, continuationToken, requestOptions));

    // Executes a batch of a single partition. All conditions are checked before the first write, so a batch that fails writes nothing.
    private async Task<TransactionalBatchResponse> ExecuteAsync(CosmosPartitionKey key, IReadOnlyList<BatchOperation> operations, CancellationToken token)
    {
        for (var i = 0; i < operations.Count; i++)
        {
            if (await JudgeAsync(key, operations[i], token) is { } failure)
                return BatchAnswer.FailedAt(i, failure, operations.Count);
        }

        var etags = new List<string>();
        foreach (var operation in operations)
        {
            using var response = await ExecuteAsync(key, operation, token);
            if (!response.IsSuccessStatusCode && etags.Count == 0)
                return BatchAnswer.FailedAt(0, response.StatusCode, operations.Count, new Trouble(response.StatusCode, CosmosErrors.SubStatusOf(response.Headers)));
            Assert.True(response.IsSuccessStatusCode, $"{operation.Verb} met {response.StatusCode}.");
            etags.Add(response.Headers.ETag ?? "");
        }

        return BatchAnswer.Committed(etags);
    }

    private async Task<HttpStatusCode?> JudgeAsync(CosmosPartitionKey key, BatchOperation operation, CancellationToken token)
    {
        if (operation.Verb == BatchVerb.Upsert)
            return null;
        var id = operation.Id ?? System.Text.Json.Nodes.JsonNode.Parse(operation.Body)!["id"]!.GetValue<string>();
        using var stored = await inner.ReadItemStreamAsync(id, key, cancellationToken: token);
        return (operation.Verb, stored.StatusCode) switch
        {
            (BatchVerb.Create, HttpStatusCode.NotFound) => null,
            (BatchVerb.Create, _) => HttpStatusCode.Conflict,
            (_, HttpStatusCode.NotFound) => HttpStatusCode.NotFound,
            _ => operation.ETag is { } etag && etag != stored.Headers.ETag ? HttpStatusCode.PreconditionFailed : null,
        };
    }

    private Task<ResponseMessage> ExecuteAsync(CosmosPartitionKey key, BatchOperation operation, CancellationToken token)
    {
        var body = new MemoryStream(operation.Body);
        return operation.Verb switch
        {
            BatchVerb.Create => inner.CreateItemStreamAsync(body, key, cancellationToken: token),
            BatchVerb.Upsert => inner.UpsertItemStreamAsync(body, key, cancellationToken: token),
            BatchVerb.Replace => inner.ReplaceItemStreamAsync(body, operation.Id, key, cancellationToken: token),
            _ => inner.DeleteItemStreamAsync(operation.Id, key, cancellationToken: token),
        };
    }

    private async Task<T> AloneAsync<T>(Func<Task<T>> request, CancellationToken token)
    {
        await oneAtATime.WaitAsync(token);
        try
        {
            return await request();
        }
        finally
        {
            oneAtATime.Release();
        }
    }

    private sealed class Pages(ServerContainer container, FeedIterator inner) : FeedIterator
    {
        public override bool HasMoreResults => inner.HasMoreResults;

        public override Task<ResponseMessage> ReadNextAsync(CancellationToken cancellationToken = default) =>
            container.AloneAsync(() => inner.ReadNextAsync(cancellationToken), cancellationToken);

        protected override void Dispose(bool disposing)
        {
            inner.Dispose();
            base.Dispose(disposing);
        }
    }
}
