using Microsoft.Azure.Cosmos;
using Microsoft.Azure.Cosmos.Scripts;
using CosmosPartitionKey = Microsoft.Azure.Cosmos.PartitionKey;

namespace Stout.Cosmos.Tests.StandIn;

/// <summary>A container without any operation. A stand-in overrides the operations that the proxy uses.</summary>
internal abstract class BareContainer : Container
{
    public override string Id => throw NotUsed();

    public override Database Database => throw NotUsed();

    public override Conflicts Conflicts => throw NotUsed();

    public override Scripts Scripts => throw NotUsed();

    public override Task<ContainerResponse> ReadContainerAsync(
        ContainerRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ResponseMessage> ReadContainerStreamAsync(
        ContainerRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ContainerResponse> ReplaceContainerAsync(
        ContainerProperties containerProperties, ContainerRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ResponseMessage> ReplaceContainerStreamAsync(
        ContainerProperties containerProperties, ContainerRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ContainerResponse> DeleteContainerAsync(
        ContainerRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ResponseMessage> DeleteContainerStreamAsync(
        ContainerRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<int?> ReadThroughputAsync(CancellationToken cancellationToken = default) => throw NotUsed();

    public override Task<ThroughputResponse> ReadThroughputAsync(
        RequestOptions requestOptions, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ThroughputResponse> ReplaceThroughputAsync(
        int throughput, RequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ThroughputResponse> ReplaceThroughputAsync(
        ThroughputProperties throughputProperties, RequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ResponseMessage> CreateItemStreamAsync(
        Stream streamPayload, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ItemResponse<T>> CreateItemAsync<T>(
        T item, CosmosPartitionKey? partitionKey = default, ItemRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ResponseMessage> ReadItemStreamAsync(
        string id, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ItemResponse<T>> ReadItemAsync<T>(
        string id, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ResponseMessage> UpsertItemStreamAsync(
        Stream streamPayload, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ItemResponse<T>> UpsertItemAsync<T>(
        T item, CosmosPartitionKey? partitionKey = default, ItemRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ResponseMessage> ReplaceItemStreamAsync(
        Stream streamPayload, string id, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ItemResponse<T>> ReplaceItemAsync<T>(
        T item, string id, CosmosPartitionKey? partitionKey = default, ItemRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ResponseMessage> ReadManyItemsStreamAsync(
        IReadOnlyList<(string, CosmosPartitionKey)> items, ReadManyRequestOptions? readManyRequestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<FeedResponse<T>> ReadManyItemsAsync<T>(
        IReadOnlyList<(string, CosmosPartitionKey)> items, ReadManyRequestOptions? readManyRequestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ItemResponse<T>> PatchItemAsync<T>(
        string id, CosmosPartitionKey partitionKey, IReadOnlyList<PatchOperation> patchOperations, PatchItemRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ResponseMessage> PatchItemStreamAsync(
        string id, CosmosPartitionKey partitionKey, IReadOnlyList<PatchOperation> patchOperations, PatchItemRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ResponseMessage> DeleteItemStreamAsync(
        string id, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override Task<ItemResponse<T>> DeleteItemAsync<T>(
        string id, CosmosPartitionKey partitionKey, ItemRequestOptions? requestOptions = default, CancellationToken cancellationToken = default) =>
        throw NotUsed();

    public override FeedIterator GetItemQueryStreamIterator(
        QueryDefinition queryDefinition, string? continuationToken = default, QueryRequestOptions? requestOptions = default) =>
        throw NotUsed();

    public override FeedIterator<T> GetItemQueryIterator<T>(
        QueryDefinition queryDefinition, string? continuationToken = default, QueryRequestOptions? requestOptions = default) =>
        throw NotUsed();

    public override FeedIterator GetItemQueryStreamIterator(
        string? queryText = default, string? continuationToken = default, QueryRequestOptions? requestOptions = default) =>
        throw NotUsed();

    public override FeedIterator<T> GetItemQueryIterator<T>(
        string? queryText = default, string? continuationToken = default, QueryRequestOptions? requestOptions = default) =>
        throw NotUsed();

    public override FeedIterator GetItemQueryStreamIterator(
        FeedRange feedRange, QueryDefinition queryDefinition, string continuationToken, QueryRequestOptions? requestOptions = default) =>
        throw NotUsed();

    public override FeedIterator<T> GetItemQueryIterator<T>(
        FeedRange feedRange, QueryDefinition queryDefinition, string? continuationToken = default, QueryRequestOptions? requestOptions = default) =>
        throw NotUsed();

    public override IOrderedQueryable<T> GetItemLinqQueryable<T>(
        bool allowSynchronousQueryExecution = default, string? continuationToken = default, QueryRequestOptions? requestOptions = default, CosmosLinqSerializerOptions? linqSerializerOptions = default) =>
        throw NotUsed();

    public override ChangeFeedProcessorBuilder GetChangeFeedProcessorBuilder<T>(
        string processorName, Container.ChangesHandler<T> onChangesDelegate) =>
        throw NotUsed();

    public override ChangeFeedProcessorBuilder GetChangeFeedEstimatorBuilder(
        string processorName, Container.ChangesEstimationHandler estimationDelegate, TimeSpan? estimationPeriod = default) =>
        throw NotUsed();

    public override ChangeFeedEstimator GetChangeFeedEstimator(string processorName, Container leaseContainer) => throw NotUsed();

    public override TransactionalBatch CreateTransactionalBatch(CosmosPartitionKey partitionKey) => throw NotUsed();

    public override Task<IReadOnlyList<FeedRange>> GetFeedRangesAsync(CancellationToken cancellationToken = default) => throw NotUsed();

    public override FeedIterator GetChangeFeedStreamIterator(
        ChangeFeedStartFrom changeFeedStartFrom, ChangeFeedMode changeFeedMode, ChangeFeedRequestOptions? changeFeedRequestOptions = default) =>
        throw NotUsed();

    public override FeedIterator<T> GetChangeFeedIterator<T>(
        ChangeFeedStartFrom changeFeedStartFrom, ChangeFeedMode changeFeedMode, ChangeFeedRequestOptions? changeFeedRequestOptions = default) =>
        throw NotUsed();

    public override ChangeFeedProcessorBuilder GetChangeFeedProcessorBuilder<T>(
        string processorName, Container.ChangeFeedHandler<T> onChangesDelegate) =>
        throw NotUsed();

    public override ChangeFeedProcessorBuilder GetChangeFeedProcessorBuilderWithManualCheckpoint<T>(
        string processorName, Container.ChangeFeedHandlerWithManualCheckpoint<T> onChangesDelegate) =>
        throw NotUsed();

    public override ChangeFeedProcessorBuilder GetChangeFeedProcessorBuilder(
        string processorName, Container.ChangeFeedStreamHandler onChangesDelegate) =>
        throw NotUsed();

    public override ChangeFeedProcessorBuilder GetChangeFeedProcessorBuilderWithManualCheckpoint(
        string processorName, Container.ChangeFeedStreamHandlerWithManualCheckpoint onChangesDelegate) =>
        throw NotUsed();

    private static NotSupportedException NotUsed() => new("The proxy does not use this.");
}
