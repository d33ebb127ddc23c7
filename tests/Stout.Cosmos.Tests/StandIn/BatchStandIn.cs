using Microsoft.Azure.Cosmos;

namespace Stout.Cosmos.Tests.StandIn;

/// <summary>The kind of an operation of a batch.</summary>
internal enum BatchVerb
{
    Create,
    Upsert,
    Replace,
    Delete,
}

/// <summary>One operation of a batch.</summary>
internal sealed record BatchOperation(BatchVerb Verb, string? Id, byte[] Body, string? ETag);

/// <summary>Collects the operations of a transactional batch, and passes them to a function when the batch is executed.</summary>
internal sealed class BatchStandIn(Func<IReadOnlyList<BatchOperation>, CancellationToken, Task<TransactionalBatchResponse>> execute) : TransactionalBatch
{
    private readonly List<BatchOperation> _operations = [];

    public override TransactionalBatch CreateItemStream(Stream streamPayload, TransactionalBatchItemRequestOptions? requestOptions = null) =>
        Add(BatchVerb.Create, null, streamPayload, requestOptions);

    public override TransactionalBatch UpsertItemStream(Stream streamPayload, TransactionalBatchItemRequestOptions? requestOptions = null) =>
        Add(BatchVerb.Upsert, null, streamPayload, requestOptions);

    public override TransactionalBatch ReplaceItemStream(string id, Stream streamPayload, TransactionalBatchItemRequestOptions? requestOptions = null) =>
        Add(BatchVerb.Replace, id, streamPayload, requestOptions);

    public override TransactionalBatch DeleteItem(string id, TransactionalBatchItemRequestOptions? requestOptions = null) =>
        Add(BatchVerb.Delete, id, Stream.Null, requestOptions);

    public override Task<TransactionalBatchResponse> ExecuteAsync(CancellationToken cancellationToken = default) => execute(_operations, cancellationToken);

    public override Task<TransactionalBatchResponse> ExecuteAsync(TransactionalBatchRequestOptions requestOptions, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override TransactionalBatch CreateItem<T>(T item, TransactionalBatchItemRequestOptions? requestOptions = null) => throw NotUsed();

    public override TransactionalBatch ReadItem(string id, TransactionalBatchItemRequestOptions? requestOptions = null) => throw NotUsed();

    public override TransactionalBatch UpsertItem<T>(T item, TransactionalBatchItemRequestOptions? requestOptions = null) => throw NotUsed();

    public override TransactionalBatch ReplaceItem<T>(string id, T item, TransactionalBatchItemRequestOptions? requestOptions = null) => throw NotUsed();

    public override TransactionalBatch PatchItem(
        string id, IReadOnlyList<PatchOperation> patchOperations, TransactionalBatchPatchItemRequestOptions? requestOptions = null) =>
        throw NotUsed();

    private BatchStandIn Add(BatchVerb verb, string? id, Stream body, TransactionalBatchItemRequestOptions? options)
    {
        var copy = new MemoryStream();
        body.CopyTo(copy);
        _operations.Add(new BatchOperation(verb, id, copy.ToArray(), options?.IfMatchEtag));
        return this;
    }

    private static NotSupportedException NotUsed() => new("The proxy does not use this.");
}
