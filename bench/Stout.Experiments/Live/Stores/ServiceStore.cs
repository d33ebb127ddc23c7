using Stout.Storage;

namespace Stout.Experiments.Live.Stores;

/// <summary>A store behind one of the other proxies. What is written stays there, in a table of the experiments' own.</summary>
/// <param name="description">What it is.</param>
/// <param name="connect">Makes a proxy.</param>
internal sealed class ServiceStore(string description, Func<IStorageProxy> connect) : IRealStore
{
    public Task<string> DescribeAsync(CancellationToken cancellationToken) => Task.FromResult(description);

    public IStorageProxy Connect() => connect();

    public ValueTask DisposeAsync() => default;
}
