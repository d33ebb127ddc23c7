namespace Stout.Storage;

/// <summary>One store partition while it is set up: where it keeps its identity. A proxy implements it for <see cref="PartitionSet"/>.</summary>
public interface IPartitionSetup
{
    /// <summary>What messages call the partition, at the beginning of a sentence. It holds no secret.</summary>
    string Name { get; }

    /// <summary>Reads the partition's identity.</summary>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>The identity; null if the partition belongs to no set yet.</returns>
    /// <exception cref="StoreException">The partition can't be used.</exception>
    ValueTask<PartitionIdentity?> ReadAsync(CancellationToken cancellationToken);

    /// <summary>Gives the partition an identity, durably, unless it has one: another client may be faster.</summary>
    /// <param name="identity">The identity, not ready.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <exception cref="StoreException">The partition can't be used.</exception>
    ValueTask JoinAsync(PartitionIdentity identity, CancellationToken cancellationToken);

    /// <summary>Marks the partition's identity as ready, durably. Another client may have done so.</summary>
    /// <param name="identity">The identity that was read.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <exception cref="StoreException">The partition can't be used.</exception>
    ValueTask MarkReadyAsync(PartitionIdentity identity, CancellationToken cancellationToken);
}
