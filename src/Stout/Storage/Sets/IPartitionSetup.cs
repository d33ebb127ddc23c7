namespace Stout.Storage;

/// <summary>One store partition during set-up. A proxy implements it for <see cref="PartitionSet"/>.</summary>
public interface IPartitionSetup
{
    /// <summary>The partition's name at the start of a message. It contains no secret.</summary>
    string Name { get; }

    /// <summary>Reads the partition's identity.</summary>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>The identity; null before the partition has joined a set.</returns>
    /// <exception cref="StoreException">The partition cannot be used.</exception>
    ValueTask<PartitionIdentity?> ReadAsync(CancellationToken cancellationToken);

    /// <summary>Stores an identity durably, unless another client has stored one before.</summary>
    /// <param name="identity">The identity, not ready.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <exception cref="StoreException">The partition cannot be used.</exception>
    ValueTask JoinAsync(PartitionIdentity identity, CancellationToken cancellationToken);

    /// <summary>Marks the partition's identity as ready, durably. Another client may have done it before.</summary>
    /// <param name="identity">The identity that was read.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <exception cref="StoreException">The partition cannot be used.</exception>
    ValueTask MarkReadyAsync(PartitionIdentity identity, CancellationToken cancellationToken);
}
