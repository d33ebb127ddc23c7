using Microsoft.Azure.Cosmos;
using Microsoft.Extensions.Logging;
using Stout.Cosmos.Diagnostics;
using Stout.Cosmos.Requests;
using Stout.Cosmos.Setup;
using Stout.Diagnostics;
using Stout.Storage;

namespace Stout.Cosmos;

/// <summary>
/// Stores objects in Azure Cosmos DB (API for NoSQL). Each store partition is a logical partition of a container, and a batch is a transactional
/// batch. Several processes can have the same containers open at once.
/// </summary>
/// <remarks>The account needs Strong or BoundedStaleness as its default consistency, and a single write region.</remarks>
public sealed class CosmosStorage : IStorageProxy
{
    private readonly CosmosOptions _options;
    private readonly TimeProvider _time;
    private readonly StoutDiagnostics _diagnostics;
    private readonly ILogger _logger;
    private readonly RequestUnits _units;
    private readonly Dictionary<CosmosContainerOptions, CosmosClient> _clients = [];
    private readonly List<CosmosPartition> _partitions = [];
    private readonly List<BackgroundLoop> _watches = [];
    private readonly StoreLifetime _lifetime = new();

    /// <summary>Creates the store without connecting.</summary>
    /// <param name="options">The location and use of the store. Later changes have no effect.</param>
    /// <param name="timeProvider">The clock of time limits and sweeps; default: the system's.</param>
    /// <param name="diagnostics">The destination of request-unit metrics and warnings. Default: the process-wide meter, and no log.</param>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    public CosmosStorage(CosmosOptions options, TimeProvider? timeProvider = null, StoutDiagnostics? diagnostics = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _options = options.Copy();
        _time = timeProvider ?? TimeProvider.System;
        _diagnostics = diagnostics ?? new StoutDiagnostics();
        _logger = _diagnostics.CreateLogger(CosmosLog.Category);
        _units = new RequestUnits(_diagnostics);
        Limits = CosmosLimits.For(_options);
        Capabilities = new StorageCapabilities
        {
            Durable = true, AtomicBatches = false, Claims = true, Shared = true, RaisesEpochs = true, Lists = true,
            EncryptsTransport = _options.Containers.All(static container => container.IsEncrypted),
        };
    }

    /// <inheritdoc/>
    public StorageCapabilities Capabilities { get; }

    /// <inheritdoc/>
    public StorageLimits Limits { get; }

    /// <summary>The request units charged for all requests so far.</summary>
    public double RequestUnits => _units.Total;

    /// <summary>The sweeps, one for each store partition.</summary>
    internal IEnumerable<SweepBacklog> Sweeps => _partitions.Select(static partition => partition.Sweeps);

    /// <summary>The size watches, one for each container.</summary>
    internal IReadOnlyList<BackgroundLoop> Watches => _watches;

    /// <inheritdoc/>
    /// <exception cref="StoreException">The store cannot be used. <see cref="StoreErrorKind.Refused"/>: wrong credentials, too weak a consistency, or
    /// this instance has been opened before. <see cref="StoreErrorKind.LayoutMismatch"/>: the container is missing or wrongly set up, or store
    /// partitions are missing or belong to another set or number of partitions. <see cref="StoreErrorKind.Unreachable"/>, <see
    /// cref="StoreErrorKind.Overloaded"/>, <see cref="StoreErrorKind.Unknown"/>: try again.</exception>
    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        _lifetime.Open();
        try
        {
            await ConnectAsync(cancellationToken).ConfigureAwait(false);
            PartitionSetup[] setups = [.. _partitions.Select(static (partition, i) => new PartitionSetup(partition.Requests.For("setup"), i))];
            await PartitionSet.SetUpAsync(Layout.Id, Layout.Version, setups, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            await CloseAsync().ConfigureAwait(false);
            throw;
        }
        return _partitions;
    }

    /// <summary>Stops the sweepers and closes the connections.</summary>
    public ValueTask DisposeAsync() => _lifetime.CloseAsync(CloseAsync);

    private async Task ConnectAsync(CancellationToken cancellationToken)
    {
        var calls = new StoreCalls(_options.Calls, CosmosErrors.Classify, _time);
        var containers = new List<Container>();
        foreach (var place in _options.Containers)
        {
            containers.Add(await calls.RunAsync(ConnectAsync, place, cancellationToken).ConfigureAwait(false));
        }

        for (var i = 0; i < _options.Partitions; i++)
        {
            var container = containers[i * containers.Count / _options.Partitions];
            _partitions.Add(new CosmosPartition(container, i, _options, _units, _time));
        }

        for (var i = 0; i < containers.Count; i++)
        {
            var partitions = Enumerable.Range(0, _options.Partitions).Where(partition => partition * containers.Count / _options.Partitions == i).ToList();
            var watch = new SizeWatch(containers[i], i, partitions.Count, _diagnostics.ClientName, _logger);
            var job = new BackgroundJob("size");
            _partitions[partitions[0]].Add(job);
            _watches.Add(new BackgroundLoop(_time, SizeWatch.Period, job, watch.LookAsync, first: TimeSpan.Zero));
        }
    }

    private async ValueTask<Container> ConnectAsync(CosmosContainerOptions place, CancellationToken cancellationToken)
    {
        // One client for each account: the client holds the connections to it.
        var account = place with { Database = "", Container = "" };
        if (!_clients.TryGetValue(account, out var client))
        {
            _clients[account] = client = AccountSetup.Connect(place, _options);
            AccountSetup.Check(await client.ReadAccountAsync().WaitAsync(cancellationToken).ConfigureAwait(false));
        }

        return await ContainerSetup.RunAsync(client, place, _options.CreateMissing, cancellationToken).ConfigureAwait(false);
    }

    private async Task CloseAsync()
    {
        try
        {
            await Task.WhenAll(_watches.Concat<IAsyncDisposable>(Sweeps).Select(static job => job.DisposeAsync().AsTask())).ConfigureAwait(false);
        }
        finally
        {
            foreach (var client in _clients.Values)
                client.Dispose();
        }
    }
}
