namespace Stout.Experiments.Experiments;

/// <summary>The stores' prices of an operation. An application's own measurements beat these: every answer of Cosmos DB names its charge.</summary>
internal static class UnitPrices
{
    /// <summary>
    /// Request units of a point read of an item up to 1 KiB, at session consistency.
    /// Source: https://learn.microsoft.com/azure/cosmos-db/optimize-cost-reads-writes (read 2026-11).
    /// </summary>
    public const double CosmosPointRead = 1;

    /// <summary>
    /// Request units of a write of an item up to 1 KiB without indexed properties: 5 by the page above, 4.95 by
    /// https://learn.microsoft.com/azure/cosmos-db/understand-request-unit-consumption. A transactional batch costs the sum of its operations.
    /// </summary>
    public const double CosmosWrite = 5;

    /// <summary>
    /// Azure Tables bills by REST request, so an entity group transaction of any size is one transaction, and a point read is one.
    /// Source: "Understanding Windows Azure Storage Billing", the storage team, 2010-07-09.
    /// </summary>
    public const double TableTransactionsPerRequest = 1;

    /// <summary>The most entities in an entity group transaction, and the most operations in a transactional batch of Cosmos DB.</summary>
    public const int MaxBatchKeys = 100;
}
