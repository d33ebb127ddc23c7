using Stout.Cosmos.Items;
using Stout.Cosmos.Requests;
using Stout.Storage;

namespace Stout.Cosmos.Setup;

/// <summary>Marks the store partitions of a set as such if none is, and refuses what is not one whole set.</summary>
/// <remarks>
/// Several processes may do so at once, and each may die at any moment. Partition 0 comes first and so names the set; it says that the
/// set is ready when all have been marked. As long as it does not, nothing has been stored, and what is missing is made; once it does, none may
/// be missing.
/// </remarks>
internal sealed class SetSetup(IReadOnlyList<PartitionRequests> partitions)
{
    /// <exception cref="StoreException">What is there is not one whole set.</exception>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        // Partition 0 is read last: whoever has marked another one has marked it before.
        var others = await Task.WhenAll(Enumerable.Range(1, partitions.Count - 1).Select(i => ReadAsync(i, cancellationToken))).ConfigureAwait(false);
        var first = await ReadAsync(0, cancellationToken).ConfigureAwait(false);
        if (first is null && others.Any(static identity => identity is not null))
            throw Identity.Foreign(0, "is missing, and others of the set are there");
        first ??= await MarkAsync(new Identity(Guid.NewGuid(), 0, partitions.Count, IsReady: false), cancellationToken).ConfigureAwait(false);
        Check(first, 0, first.SetId);
        await Task.WhenAll(others.Select((found, i) => CheckAsync(found, i + 1, first, cancellationToken))).ConfigureAwait(false);
        if (!first.IsReady)
            await SayReadyAsync(first, cancellationToken).ConfigureAwait(false);
    }

    private async Task CheckAsync(Identity? found, int partition, Identity first, CancellationToken cancellationToken)
    {
        if (found is null && first.IsReady)
        {
            // It may have been marked after it was looked for, by a process that starts beside this one.
            found = await ReadAsync(partition, cancellationToken).ConfigureAwait(false)
                ?? throw Identity.Foreign(partition, $"is missing: one of a set of {first.Partitions}");
        }

        found ??= await MarkAsync(new Identity(first.SetId, partition, partitions.Count, IsReady: false), cancellationToken).ConfigureAwait(false);
        Check(found, partition, first.SetId);
    }

    private void Check(Identity found, int partition, Guid setId)
    {
        if (found.Partitions != partitions.Count)
            throw Identity.Foreign(partition, $"belongs to a set of {found.Partitions} store partitions; the options say {partitions.Count}");
        if (found.Partition != partition)
            throw Identity.Foreign(partition, $"is partition {found.Partition} of its set");
        if (found.SetId != setId)
            throw Identity.Foreign(partition, "belongs to another set than partition 0");
    }

    private async Task<Identity?> ReadAsync(int partition, CancellationToken cancellationToken) =>
        await partitions[partition].ReadJsonAsync(ItemIds.Identity, cancellationToken).ConfigureAwait(false) is { } json ? Identity.Parse(json, partition) : null;

    private async Task<Identity> MarkAsync(Identity identity, CancellationToken cancellationToken)
    {
        // Another process may have been faster; then its mark holds.
        var mark = new ItemOperation(ItemOperationKind.Create, ItemIds.Identity, identity.ToJson());
        _ = await partitions[identity.Partition].ExecuteAsync([mark], cancellationToken).ConfigureAwait(false);
        return await ReadAsync(identity.Partition, cancellationToken).ConfigureAwait(false)
            ?? throw Identity.Foreign(identity.Partition, "does not keep what is written to it");
    }

    private async Task SayReadyAsync(Identity first, CancellationToken cancellationToken)
    {
        var ready = new ItemOperation(ItemOperationKind.Replace, ItemIds.Identity, (first with { IsReady = true }).ToJson(), first.ETag);
        if ((await partitions[0].ExecuteAsync([ready], cancellationToken).ConfigureAwait(false)).IsCommitted)
            return;
        if (await ReadAsync(0, cancellationToken).ConfigureAwait(false) is not { IsReady: true } other || other.SetId != first.SetId)
            throw Identity.Foreign(0, "has been changed by somebody else");
    }
}
