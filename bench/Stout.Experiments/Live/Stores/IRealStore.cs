using Stout.Storage;

namespace Stout.Experiments.Live.Stores;

/// <summary>A real store with one store partition. Its data has a schema, table or file of its own, which is removed at the end if possible.</summary>
internal interface IRealStore : IAsyncDisposable
{
    /// <summary>Stops the store itself and lets it continue; null if that is impossible.</summary>
    IStall? Stall => null;

    /// <summary>The store's description in the report.</summary>
    Task<string> DescribeAsync(CancellationToken cancellationToken);

    /// <summary>A proxy for one middle tier, with connections of its own.</summary>
    IStorageProxy Connect();
}

/// <summary>Makes a store stop and go on.</summary>
internal interface IStall
{
    void Stop();

    void GoOn();
}
