using Stout.Storage;

namespace Stout.Experiments.Model.Stores;

/// <summary>A kind of store: how many partitions it has, how far away it is, and what each partition does with a request.</summary>
internal sealed record StoreKind
{
    /// <summary>The name on the command line.</summary>
    public required string Name { get; init; }

    /// <summary>The modeled store, in a sentence.</summary>
    public required string Description { get; init; }

    /// <summary>Independent store partitions.</summary>
    public int Partitions { get; init; } = 4;

    /// <summary>Time on the network, there and back.</summary>
    public TimeSpan RoundTrip { get; init; } = TimeSpan.FromMilliseconds(0.4);

    /// <summary>The most keys that one request may carry.</summary>
    public int MaxBatchKeys { get; init; } = 100_000;

    /// <summary>Loads, in requests/s, that cover the store's range with the paper's workload.</summary>
    public required IReadOnlyList<double> Loads { get; init; }

    /// <summary>The cost of a batch, in milliseconds, at the component of a partition that saturates first. Null without such a component.</summary>
    public BatchCost? Bottleneck { get; init; }

    /// <summary>Whether the store pauses now and then.</summary>
    public bool Pauses { get; init; }

    /// <summary>Makes one partition.</summary>
    public required MakePartition Make { get; init; }

    /// <summary>The store's limits, as the lanes see them.</summary>
    public StorageLimits Limits => new()
    {
        MaxValueBytes = 1 << 20,
        MaxChangeSetParts = 1000,
        MaxChangeSetBytes = 1 << 20,
        MaxBatchKeys = MaxBatchKeys,
        MaxBatchBytes = 1L << 40,
    };

    public override string ToString() => Name;
}

/// <summary>The cost of a batch, in milliseconds.</summary>
/// <param name="PerRequest">The cost of the batch itself.</param>
/// <param name="PerOperation">The cost of each write in the batch.</param>
internal sealed record BatchCost(double PerRequest, double PerOperation)
{
    /// <summary>The writes/s that a partition carries if each of its lanes sends a batch every <paramref name="interval"/> milliseconds.</summary>
    public double MostWrites(int lanes, double interval) => 1_000 * (1 - (lanes * PerRequest / interval)) / PerOperation;
}

/// <summary>Makes one store partition.</summary>
/// <param name="random">The partition's random numbers.</param>
/// <param name="speed">The partition's speed over time.</param>
/// <param name="connections">The number of lanes that send to the partition.</param>
internal delegate IStoreModel MakePartition(Random random, StoreSpeed speed, int connections);
