using Stout.Diagnostics;

namespace Stout.Cosmos.Tests.StandIn;

/// <summary>Proxies in front of stand-ins.</summary>
internal static class StandInStorage
{
    public static CosmosStorage Connect(
        StandInStore store, TimeProvider time, int partitions = 1, StoutDiagnostics? diagnostics = null, Action<CosmosOptions>? configure = null)
    {
        // The breaker would hide what each answer is taken for.
        var options = new CosmosOptions { Partitions = partitions, CreateMissing = false, Calls = new() { BreakerMinCalls = 1_000_000 } };
        options.Containers.Add(new CosmosContainerOptions { Endpoint = "https://localhost", Key = "a2V5" });
        options.CreateClient = _ => new StandInClient(store);
        configure?.Invoke(options);
        return new CosmosStorage(options, time, diagnostics);
    }
}
