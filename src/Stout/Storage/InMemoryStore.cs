namespace Stout.Storage;

/// <summary>
/// A store in this process's memory, for tests, for experiments, and for measuring Stout's own limit. Its data ends with the object: <see
/// cref="StorageCapabilities.Durable"/> is false. The store keeps all other promises of <see cref="IStorePartition"/>. Proxies from <see cref="Connect"/>
/// share the data.
/// </summary>
public sealed class InMemoryStore : IStorageProxy
{
    private readonly InMemoryPartition[] _partitions;

    /// <summary>Creates an empty store.</summary>
    /// <param name="partitions">The number of store partitions, 1 to 1,024.</param>
    public InMemoryStore(int partitions = 1)
    {
        if (partitions is < 1 or > Slots.Count)
            throw new InvalidOptionException(nameof(partitions), $"it must be between 1 and {Slots.Count}");
        _partitions = new InMemoryPartition[partitions];
        for (var i = 0; i < partitions; i++)
            _partitions[i] = new InMemoryPartition(Limits);
    }

    private InMemoryStore(InMemoryStore other)
    {
        _partitions = other._partitions;
    }

    /// <inheritdoc/>
    public StorageCapabilities Capabilities { get; } = new() { Durable = false, AtomicBatches = true, RaisesEpochs = true, Lists = true };

    /// <inheritdoc/>
    public StorageLimits Limits { get; } = new()
    {
        MaxValueBytes = 16 << 20,
        MaxChangeSetParts = 10_000,
        MaxChangeSetBytes = 64 << 20,
        MaxBatchKeys = 10_000,
        MaxBatchBytes = 64 << 20,
    };

    /// <summary>Creates another client of the same data.</summary>
    public InMemoryStore Connect() => new(this);

    /// <inheritdoc/>
    public ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default) => new(_partitions);

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
