using System.Net;
using System.Text;
using Microsoft.Azure.Cosmos;
using CosmosPartitionKey = Microsoft.Azure.Cosmos.PartitionKey;

namespace Stout.Cosmos.Tests.StandIn;

/// <summary>The stand-in as a container of the SDK.</summary>
internal sealed class StandInContainer(StandInStore store) : BareContainer
{
    public override async Task<ContainerResponse> ReadContainerAsync(ContainerRequestOptions? requestOptions = null, CancellationToken cancellationToken = default)
    {
        using var response = await ReadContainerStreamAsync(requestOptions, cancellationToken);
        response.EnsureSuccessStatusCode();
        return new Description(store.Properties);
    }

    public override Task<ResponseMessage> ReadContainerStreamAsync(ContainerRequestOptions? requestOptions = null, CancellationToken cancellationToken = default) =>
        Answer("container", () =>
        {
            var response = Answers.Of(HttpStatusCode.OK, content: "{}"u8.ToArray());
            if (requestOptions?.PopulateQuotaInfo == true)
                response.Headers.Add("x-ms-resource-usage", $"documentSize=0;documentsSize={store.Kilobytes / 2};documentsCount=-1;collectionSize={store.Kilobytes};");
            return response;
        });

    public override Task<ResponseMessage> ReadItemStreamAsync(
        string id, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = null, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return Answer("read", () => store.Find(PartitionOf(partitionKey), id) is { } item
            ? Answers.Of(HttpStatusCode.OK, item.ETag, item.Json)
            : Answers.Of(HttpStatusCode.NotFound));
    }

    public override Task<ResponseMessage> CreateItemStreamAsync(
        Stream streamPayload, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = null, CancellationToken cancellationToken = default) =>
        ExecuteAsync("create", BatchVerb.Create, null, streamPayload, partitionKey, requestOptions, cancellationToken);

    public override Task<ResponseMessage> UpsertItemStreamAsync(
        Stream streamPayload, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = null, CancellationToken cancellationToken = default) =>
        ExecuteAsync("upsert", BatchVerb.Upsert, null, streamPayload, partitionKey, requestOptions, cancellationToken);

    public override Task<ResponseMessage> ReplaceItemStreamAsync(
        Stream streamPayload, string id, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = null, CancellationToken cancellationToken = default) =>
        ExecuteAsync("replace", BatchVerb.Replace, id, streamPayload, partitionKey, requestOptions, cancellationToken);

    public override Task<ResponseMessage> PatchItemStreamAsync(
        string id, CosmosPartitionKey partitionKey, IReadOnlyList<PatchOperation> patchOperations, PatchItemRequestOptions? requestOptions = null,
        CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return Answer("patch", () =>
        {
            var (status, item) = store.Patch(PartitionOf(partitionKey), id, (PatchOperation<string>)patchOperations.Single(), requestOptions!.FilterPredicate, requestOptions.IfMatchEtag);
            return Answers.Of(status, item?.ETag, item?.Json);
        });
    }

    public override Task<ResponseMessage> DeleteItemStreamAsync(
        string id, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = null, CancellationToken cancellationToken = default) =>
        ExecuteAsync("delete", BatchVerb.Delete, id, Stream.Null, partitionKey, requestOptions, cancellationToken);

    public override TransactionalBatch CreateTransactionalBatch(CosmosPartitionKey partitionKey) =>
        new BatchStandIn((operations, token) => ExecuteAsync(PartitionOf(partitionKey), operations, token));

    public override FeedIterator GetItemQueryStreamIterator(
        QueryDefinition queryDefinition, string? continuationToken = null, QueryRequestOptions? requestOptions = null)
    {
        var (prefix, end) = (TextOf("@prefix")!, TextOf("@header") ?? "");
        var partition = PartitionOf(requestOptions!.PartitionKey!.Value);
        var size = requestOptions.MaxItemCount is > 0 and { } most ? Math.Min(most, store.PageSize) : store.PageSize;
        return new Pages(this, after => [.. store.Find(partition, prefix, after).Where(item => item.Id.EndsWith(end, StringComparison.Ordinal))], size, continuationToken);

        string? TextOf(string name) => (string?)queryDefinition.GetQueryParameters().SingleOrDefault(parameter => parameter.Name == name).Value;
    }

    /// <summary>The value of a partition key: a single text, as in all requests of the proxy.</summary>
    public static string PartitionOf(CosmosPartitionKey key) => key.ToString().Trim('[', ']', '"');

    private Task<ResponseMessage> ExecuteAsync(
        string kind, BatchVerb verb, string? id, Stream body, CosmosPartitionKey partition, ItemRequestOptions? options, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var copy = new MemoryStream();
        body.CopyTo(copy);
        return Answer(kind, () =>
        {
            var (status, etag) = store.Execute(PartitionOf(partition), [new BatchOperation(verb, id, copy.ToArray(), options?.IfMatchEtag)]).Single();
            return Answers.Of(status, etag);
        });
    }

    private Task<TransactionalBatchResponse> ExecuteAsync(string partition, IReadOnlyList<BatchOperation> operations, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Assert.InRange(operations.Count, 2, 100);
        var trouble = store.Note(new StandInRequest("batch", operations.Count));
        if (trouble is { IsApplied: false })
        {
            return Task.FromResult<TransactionalBatchResponse>(trouble.Operation < 0
                ? BatchAnswer.Failed(trouble, operations.Count)
                : BatchAnswer.FailedAt(trouble.Operation, trouble.Status, operations.Count, trouble));
        }

        // The request contains, for each operation, the item's body and id, and about 100 bytes more.
        if (operations.Sum(operation => operation.Body.Length + (operation.Id?.Length ?? 0) + 100) > StandInStore.MaxBytes)
            return Task.FromResult<TransactionalBatchResponse>(BatchAnswer.Failed(new Trouble(HttpStatusCode.RequestEntityTooLarge), operations.Count));
        var answers = store.Execute(partition, operations);
        if (trouble is not null)
            return trouble.Error is { } error ? throw error : Task.FromResult<TransactionalBatchResponse>(BatchAnswer.Failed(trouble, operations.Count));
        var failed = answers.ToList().FindIndex(answer => (int)answer.Status >= 400);
        return Task.FromResult<TransactionalBatchResponse>(failed < 0
            ? BatchAnswer.Committed([.. answers.Select(answer => answer.ETag ?? "")])
            : BatchAnswer.FailedAt(failed, answers[failed].Status, operations.Count));
    }

    private async Task<ResponseMessage> Answer(string kind, Func<ResponseMessage> carryOut)
    {
        // As over a network, an answer never comes at once.
        await Task.Yield();
        if (store.OnTheWay is { } way)
            await way(kind);
        var trouble = store.Note(new StandInRequest(kind));
        if (trouble is { IsApplied: false })
            return Answers.Of(trouble);
        var answer = carryOut();
        return trouble is null ? answer : trouble.Error is { } error ? throw error : Answers.Of(trouble);
    }

    private sealed class Description(ContainerProperties properties) : ContainerResponse
    {
        public override ContainerProperties Resource => properties;
    }

    private sealed class Pages(StandInContainer container, Func<string, IReadOnlyList<StoredDocument>> find, int size, string? continuation) : FeedIterator
    {
        private string _last = continuation ?? "";
        private bool _isDone;

        public override bool HasMoreResults => !_isDone;

        // Each page shows the items at the time of its request.
        public override Task<ResponseMessage> ReadNextAsync(CancellationToken cancellationToken = default)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return container.Answer("query", () =>
            {
                var left = find(_last);
                var page = left.Take(size).ToList();
                _isDone = page.Count == left.Count;
                _last = page.Count > 0 ? page[^1].Id : _last;
                var json = string.Join(',', page.Select(item => Encoding.UTF8.GetString(item.Json)));
                var answer = Answers.Of(HttpStatusCode.OK, content: Encoding.UTF8.GetBytes($"{{\"_rid\":\"\",\"Documents\":[{json}],\"_count\":{page.Count}}}"));
                if (!_isDone)
                    answer.Headers.Add("x-ms-continuation", _last);
                return answer;
            });
        }
    }
}
