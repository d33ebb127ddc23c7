using Stout.Experiments.Live.Stores;
using Stout.Experiments.Measuring;
using Stout.Experiments.Workloads;

namespace Stout.Experiments.Live;

/// <summary>Middle tiers on one real store, in one process.</summary>
internal sealed class LiveService : IAsyncDisposable
{
    private static int _opened;

    private readonly List<LiveTier> _tiers = [];

    private LiveService(ServiceShape shape, IStall? stall)
    {
        Shape = shape;
        Stall = stall;
    }

    public ServiceShape Shape { get; }

    public IReadOnlyList<LiveTier> Tiers => _tiers;

    /// <summary>Makes the store stop and go on; null if no run with this service stops the store.</summary>
    public IStall? Stall { get; }

    public IEnumerable<LaneLaw> Lanes => _tiers.SelectMany(tier => tier.Lanes);

    /// <summary>The requests of all lanes since the opening, or since a run began to measure.</summary>
    public StoreTraffic Traffic => Lanes.Aggregate(default(StoreTraffic), (sum, lane) => sum + lane.Traffic);

    public static async Task<LiveService> OpenAsync(IRealStore store, ServiceShape shape, CancellationToken cancellationToken)
    {
        var holds = shape.Stalls && store.Stall is null ? new HeldStores() : null;
        var service = new LiveService(shape, shape.Stalls ? store.Stall ?? holds : null);
        // Fresh names, so the documents do not exist yet, even in a used store.
        var name = $"{Guid.NewGuid():N} {Interlocked.Increment(ref _opened)}";
        try
        {
            for (var i = 0; i < shape.Tiers; i++)
            {
                var proxy = store.Connect();
                var keys = Enumerable.Range(0, shape.DocumentsOf(i)).Select(d => new PartitionKey($"{name} tier {i} document {d}")).ToList();
                service._tiers.Add(await LiveTier.OpenAsync(i, holds?.Around(proxy) ?? proxy, keys, shape.ValueBytes, cancellationToken));
            }

            return service;
        }
        catch
        {
            await service.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var tier in _tiers)
            await tier.DisposeAsync();
    }
}

/// <summary>The properties of a service. Runs with equal properties share the service.</summary>
internal sealed record ServiceShape(int Tiers, int Documents, int ValueBytes, bool Stalls)
{
    public static ServiceShape Of(Scenario scenario) => new(scenario.Tiers, scenario.Documents, scenario.ValueBytes, scenario.Speed is not null);

    /// <summary>The number of documents of a middle tier: document d belongs to the tier d modulo the number of tiers.</summary>
    public int DocumentsOf(int tier) => (Documents - tier + Tiers - 1) / Tiers;
}
