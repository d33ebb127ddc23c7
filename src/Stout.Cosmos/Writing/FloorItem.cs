using Stout.Cosmos.Items;
using Stout.Cosmos.Requests;
using Stout.Storage;

namespace Stout.Cosmos.Writing;

/// <summary>The epoch floor of a store partition, in an item of its own: no header that the service removes has a larger epoch.</summary>
/// <remarks>
/// <para>Headers without an object have a time to live, so no sweeper can raise the floor before the service removes such a header. Instead a client raises
/// the floor to the owner's epoch before the header gets its time to live.</para>
/// <para>A client raises the floor by 1. For a quarter of the retention it gives the new floor as the epoch to keys without an owner. So many first claims
/// share one request. A header that expires within that time changed for the last time before the client raised the floor, so its epoch is smaller.</para>
/// </remarks>
internal sealed class FloorItem(PartitionRequests requests, string partitionKey, TimeSpan retention, TimeProvider time) : EpochFloor(retention / 4, time)
{
    protected override async ValueTask<(long Epoch, string? Tag)> ReadAsync(CancellationToken cancellationToken) =>
        await requests.ReadJsonAsync(ItemIds.Floor, cancellationToken).ConfigureAwait(false) is { } json && ItemReader.ReadOne(json) is var item
            ? (item.Epoch, item.ETag)
            : (0, null);

    protected override async ValueTask<bool> TryWriteAsync(long epoch, string? tag, CancellationToken cancellationToken)
    {
        using var items = new ItemWriter(partitionKey);
        var change = new ItemOperation(tag is null ? ItemOperationKind.Create : ItemOperationKind.Replace, ItemIds.Floor, items.Floor(epoch), tag);
        return (await requests.ExecuteAsync([change], cancellationToken).ConfigureAwait(false)).IsCommitted;
    }
}
