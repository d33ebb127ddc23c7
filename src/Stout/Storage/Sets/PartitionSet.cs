namespace Stout.Storage;

/// <summary>Sets up the partitions of a store as one set, and refuses partitions that are not one complete set.</summary>
/// <remarks>
/// Any number of clients may run the set-up at once, and each may die at any moment. Each partition joins the set of partition 0. When all partitions have
/// joined, each is marked as ready. Before that, no key is stored, and missing partitions are created. After that, a missing partition is an error.
/// </remarks>
public static class PartitionSet
{
    /// <summary>Sets up the partitions.</summary>
    /// <param name="layout">The layout's name, one for each kind of store.</param>
    /// <param name="version">The layout's version.</param>
    /// <param name="partitions">All partitions, in the order of the slots that they hold. At least one.</param>
    /// <param name="cancellationToken">Ends the set-up. A later set-up completes it.</param>
    /// <exception cref="StoreException">The partitions are not one complete set of this layout, or cannot be used.</exception>
    public static async ValueTask SetUpAsync(
        string layout, int version, IReadOnlyList<IPartitionSetup> partitions, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(partitions);
        ArgumentOutOfRangeException.ThrowIfZero(partitions.Count, nameof(partitions));
        var found = await Task.WhenAll(partitions.Select(partition => partition.ReadAsync(cancellationToken).AsTask())).ConfigureAwait(false);
        var isReady = found.Any(static identity => identity is { IsReady: true });
        var setId = found.FirstOrDefault(static identity => identity is not null)?.SetId ?? Guid.NewGuid();
        for (var i = 0; i < partitions.Count; i++)
        {
            var expected = new PartitionIdentity(layout, version, setId, i, partitions.Count, Slots.HashName, IsReady: false);
            found[i] ??= await CompleteAsync(partitions[i], expected, isReady, cancellationToken).ConfigureAwait(false);

            // Another client may have stored the id of its own set in partition 0 meanwhile. The stored id counts for all partitions.
            if (i == 0)
                expected = expected with { SetId = setId = found[0]!.SetId };
            found[i]!.Check(expected, partitions[i].Name);
            isReady |= found[i]!.IsReady;
        }

        for (var i = 0; i < partitions.Count; i++)
        {
            if (!found[i]!.IsReady)
                await partitions[i].MarkReadyAsync(found[i]!, cancellationToken).ConfigureAwait(false);
        }
    }

    private static async ValueTask<PartitionIdentity> CompleteAsync(
        IPartitionSetup partition, PartitionIdentity identity, bool isReady, CancellationToken cancellationToken)
    {
        // A concurrently starting client may have set up the partition after it was read.
        if (isReady)
            return await partition.ReadAsync(cancellationToken).ConfigureAwait(false) ?? throw Missing();
        await partition.JoinAsync(identity, cancellationToken).ConfigureAwait(false);
        return await partition.ReadAsync(cancellationToken).ConfigureAwait(false) ?? throw Missing();

        StoreException Missing() => new(
            StoreErrorKind.LayoutMismatch, $"{partition.Name} is missing from its set of {identity.Partitions} partitions: it is empty, and others are not.");
    }
}
