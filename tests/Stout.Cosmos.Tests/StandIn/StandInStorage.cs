using Stout.Diagnostics;

namespace Stout.Cosmos.Tests.StandIn;

/// <summary>Proxies in front of stand-ins.</summary>
internal static class StandInStorage
{
    public static CosmosStorage Connect(
        StandInStore store, TimeProvider time, int partitions = 1, StoutDiagnostics? diagnostics = null, Action<CosmosOptions>? configure = null)
    {
        // The circuit breaker never opens, since it would hide the outcome of each answer.
        var options = new CosmosOptions { Partitions = partitions, CreateMissing = false, Calls = new() { BreakerMinCalls = 1_000_000 } };
        options.Containers.Add(new CosmosContainerOptions { Endpoint = "https://localhost", Key = "a2V5" });
        options.CreateClient = _ => new StandInClient(store);
        configure?.Invoke(options);
        return new CosmosStorage(options, time, diagnostics);
    }
}

/// <summary>Waits for a proxy's background work.</summary>
internal static class Background
{
    /// <summary>Completes when all background work that is due has been done.</summary>
    public static Task RestAsync(this Stout.Storage.IStorageProxy proxy)
    {
        var storage = (CosmosStorage)proxy;
        return Task.WhenAll(storage.Sweeps.Select(sweeps => sweeps.Running).Concat(storage.Watches.Select(watch => watch.Running)));
    }
}
