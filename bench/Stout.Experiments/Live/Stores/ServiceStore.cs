using Stout.Storage;

namespace Stout.Experiments.Live.Stores;

/// <summary>A store on a given proxy, such as SQL Server or a cloud service. Its rows are in a table of the experiments' own, and are not removed.</summary>
/// <param name="description">The store's name and version.</param>
/// <param name="connect">Makes a proxy.</param>
internal sealed class ServiceStore(string description, Func<IStorageProxy> connect) : IRealStore
{
    public Task<string> DescribeAsync(CancellationToken cancellationToken) => Task.FromResult(description);

    public IStorageProxy Connect() => connect();

    public ValueTask DisposeAsync() => default;
}
