using Stout.Storage;

namespace Stout.Experiments.Live.Stores;

/// <summary>A store behind one of the other proxies. Its rows are not removed; they are in a table of the experiments' own.</summary>
/// <param name="description">The store's name and version.</param>
/// <param name="connect">Makes a proxy.</param>
internal sealed class ServiceStore(string description, Func<IStorageProxy> connect) : IRealStore
{
    public Task<string> DescribeAsync(CancellationToken cancellationToken) => Task.FromResult(description);

    public IStorageProxy Connect() => connect();

    public ValueTask DisposeAsync() => default;
}
