namespace Stout.Storage;

/// <summary>How much of a store meets a trouble. A client whose store refuses every request is not ready: see <see cref="StoutStatistics.StoreRefusal"/>.</summary>
public enum StoreErrorScope
{
    /// <summary>The request, or one key of it. Others may pass.</summary>
    Request,

    /// <summary>Every request to the store partition, until the store is mended: its credentials, its permissions, a table that is missing.</summary>
    Partition,

    /// <summary>Every request to the store partition, until the client is opened anew.</summary>
    Client,
}
