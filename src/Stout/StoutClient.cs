using System.Diagnostics;
using System.Globalization;
using Stout.Diagnostics;
using Stout.Lanes.Shell;
using Stout.Pacing;
using Stout.Paper;
using Stout.Storage;

namespace Stout;

/// <summary>
/// The base layer: fills keys, which means that it reads their objects from a store into memory, and writes changed objects back in batches. Its calls
/// are those of the paper (section 4.4). The typed layer (<c>Stout.Documents</c>) is built on the base layer and is easier to use.
/// </summary>
[DebuggerDisplay("open: {IsOpen}, stopping: {IsStopping}")]
public sealed partial class StoutClient : IAsyncDisposable, IDisposable
{
    private readonly IStorageProxy _store;
    private readonly IStoutApplication? _application;
    private readonly StoutOptions _options;
    private readonly TimeProvider _time;
    private IReadOnlyList<IStorePartition> _partitions = [];
    private readonly ClientTelemetry _telemetry;
    private readonly AnswerLimits? _answers;
    private PoolWatch? _poolWatch;
    private readonly Lock _lifeLock = new();
    private readonly Lazy<Task> _disposal;
    private volatile Lane[] _lanes = [];
    private Task _opening = Task.CompletedTask;

    /// <summary>Creates a client whose store is opened later: dependency injection creates the client before the host starts.</summary>
    internal StoutClient(IStorageProxy store, IStoutApplication? application, StoutOptions options, TimeProvider time)
    {
        _store = store;
        _application = application;
        _options = options;
        _time = time;
        _telemetry = new ClientTelemetry(options.Diagnostics, time);
        _answers = AnswerLimits.Of(options, time);
        _disposal = new Lazy<Task>(DrainAndCloseAsync);
    }

    internal StoutOptions Options => _options;

    /// <summary>The limits of callers' waits; null without one.</summary>
    internal AnswerLimits? Answers => _answers;

    internal StorageCapabilities Capabilities => _store.Capabilities;

    internal bool IsOpen => _lanes.Length > 0;

    internal bool IsStopping { get; private set; }

    /// <summary>Whether the store's proxy can list keys.</summary>
    internal bool CanList => _store.Capabilities.Lists;

    /// <summary>The limits of the store's requests.</summary>
    public StorageLimits Limits => _store.Limits;

    /// <summary>Opens the store and starts a lane for each of its partitions.</summary>
    /// <param name="store">The store's proxy. The client owns it and disposes it.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <param name="timeProvider">The clock; null for the system's.</param>
    /// <param name="cancellationToken">Stops the opening.</param>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    /// <exception cref="StoreException">The store can't be used.</exception>
    public static ValueTask<StoutClient> OpenAsync(
        IStorageProxy store, StoutOptions? options = null, TimeProvider? timeProvider = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(store);
        return OpenStoreAsync(store, null, options, timeProvider, cancellationToken);
    }

    /// <summary>Opens the store for an application with callbacks.</summary>
    /// <inheritdoc cref="OpenAsync(IStorageProxy, StoutOptions?, TimeProvider?, CancellationToken)"/>
    /// <param name="store">The store's proxy. The client owns it and disposes it.</param>
    /// <param name="application">The application's callbacks.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <param name="timeProvider">The clock; null for the system's.</param>
    /// <param name="cancellationToken">Stops the opening.</param>
    public static ValueTask<StoutClient> OpenAsync(
        IStorageProxy store,
        IStoutApplication application,
        StoutOptions? options = null,
        TimeProvider? timeProvider = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(application);
        return OpenStoreAsync(store, application, options, timeProvider, cancellationToken);
    }

    private static async ValueTask<StoutClient> OpenStoreAsync(
        IStorageProxy store, IStoutApplication? application, StoutOptions? options, TimeProvider? timeProvider, CancellationToken cancellationToken)
    {
        try
        {
            // A copy, so that later changes of the caller's object have no effect.
            options ??= new StoutOptions();
            options.Validate();
            var client = new StoutClient(store, application, options.Copy(), timeProvider ?? TimeProvider.System);
            await client.OpenAsync(cancellationToken).ConfigureAwait(false);
            return client;
        }
        catch
        {
            await store.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Reads the stored state of a key, for tools and health checks. Opens no handle, and changes and claims nothing.</summary>
    /// <param name="key">The key.</param>
    /// <param name="cancellationToken">Stops the waiting.</param>
    /// <exception cref="StoreException">The store could not be asked, for longer than <see cref="StoutOptions.UnreachableTimeout"/>.</exception>
    /// <exception cref="ObjectTooLargeException">The object is larger than the options allow.</exception>
    /// <exception cref="StoppedException">The client has been stopped.</exception>
    public async ValueTask<PeekedKey> PeekAsync(PartitionKey key, CancellationToken cancellationToken = default)
    {
        var read = await AskAsync(new KeyRead(key) { Bounds = _options }, cancellationToken).ConfigureAwait(false);
        return new PeekedKey(key, read.Exists, read.Version, read.Owner, read.Parts);
    }

    /// <summary>
    /// Ends the use of claims for a key. The key's owner is fenced, and clients without a claim can fill and write the key again. The key's epoch
    /// stays, so that a later claim still gets a larger one. A key that is not claimed stays unchanged.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="cancellationToken">Stops the waiting; the key may be reset nevertheless.</param>
    /// <exception cref="NotSupportedException">The store's proxy can't claim keys: <see cref="StorageCapabilities.Claims"/>.</exception>
    /// <exception cref="StoreException">The store could not be asked, for longer than <see cref="StoutOptions.UnreachableTimeout"/>.</exception>
    /// <exception cref="StoppedException">The client has been stopped.</exception>
    public async ValueTask ResetOwnerAsync(PartitionKey key, CancellationToken cancellationToken = default)
    {
        ThrowIfWithoutClaims();
        await AskAsync(new KeyRead(key, KeyReadKind.Claim, new KeyClaim(Guid.Empty)), cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Lists the keys of the objects that the store contains, in no particular order. Changes that are not durable yet do not appear. Each key that exists
    /// throughout the listing appears once; a key created or deleted meanwhile may be missing. The listing reads and holds one page at a time.
    /// </summary>
    /// <param name="prefix">The prefix of the keys; empty for all keys.</param>
    /// <param name="cancellationToken">Ends the listing.</param>
    /// <exception cref="StoreException">The store could not be asked, for longer than <see cref="StoutOptions.UnreachableTimeout"/>.</exception>
    /// <exception cref="NotSupportedException">The store's proxy can't list: <see cref="StorageCapabilities.Lists"/>.</exception>
    /// <exception cref="StoppedException">The client has been stopped.</exception>
    public IAsyncEnumerable<PartitionKey> ListKeysAsync(string prefix = "", CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        ThrowUnlessOpen();
        return new KeyLister(new StoreQuestions(_options, _time, _answers)).ListAsync(_partitions, prefix, cancellationToken);
    }

    /// <summary>Reports the failures of a collection's background job.</summary>
    internal void Watch(BackgroundJob job, string collection) => _telemetry.Background.Watch(job, "collection " + collection);

    /// <summary>Opens the store and starts the lanes. The options have been validated before.</summary>
    /// <exception cref="StoppedException">The client was stopped before, or while the store was being opened.</exception>
    internal async ValueTask OpenAsync(CancellationToken cancellationToken)
    {
        var opening = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lifeLock)
        {
            ThrowIfStopping();
            _opening = opening.Task;
        }

        _telemetry.Opens(_store);
        try
        {
            var partitions = await _store.OpenAsync(cancellationToken).ConfigureAwait(false);
            if (_store.Capabilities.WarmsUp)
                await Task.WhenAll(partitions.Select(partition => WarmUp.RunAsync(partition, cancellationToken))).ConfigureAwait(false);
            if (_options.RaiseEpochsTo is { } epoch)
            {
                if (!_store.Capabilities.RaisesEpochs)
                    throw new StoreException(StoreErrorKind.Refused, $"The store's proxy can't raise epochs, which the option {nameof(StoutOptions.RaiseEpochsTo)} asks for.");
                await Task.WhenAll(partitions.Select(partition => partition.RaiseEpochFloorAsync(epoch, cancellationToken).AsTask())).ConfigureAwait(false);
                _telemetry.EpochsRaised(epoch);
            }

            // All laws are created before the first lane starts: a custom factory may throw, and a lane that had started would never end.
            var laws = new IPacingLaw[partitions.Count];
            for (var i = 0; i < laws.Length; i++)
            {
                laws[i] = _options.Pacing is { } pacing
                    ? pacing() ?? throw new InvalidOptionException(nameof(StoutOptions.Pacing), "it must return a law")
                    : PacingLaws.Default(_store.Capabilities, partitions[i]);
            }

            lock (_lifeLock)
            {
                ThrowIfStopping();
                var lanes = new Lane[partitions.Count];
                for (var i = 0; i < lanes.Length; i++)
                {
                    var telemetry = _telemetry.ForLane(i);
                    var paper = _application is null ? null : new PaperCalls(_application, _options, _time, telemetry);
                    lanes[i] = new Lane(partitions[i], _store.Limits, _options, laws[i], _time, telemetry, _answers, paper);
                }

                _lanes = lanes;
                _poolWatch = _telemetry.WatchPool();
                _partitions = partitions;
            }

            _telemetry.Opened(_lanes.Length);
            for (var i = 0; i < partitions.Count; i++)
            {
                foreach (var job in partitions[i].BackgroundJobs)
                    _telemetry.Background.Watch(job, string.Create(CultureInfo.InvariantCulture, $"partition {i}"), i);
            }
        }
        finally
        {
            opening.SetResult();
        }
    }

    /// <summary>Returns counters since the client was opened, and the client's present state.</summary>
    public StoutStatistics GetStatistics()
    {
        var sum = default(StoutStatistics);
        foreach (var lane in _lanes)
            sum += lane.GetStatistics();
        return _telemetry.Background.AddTo(sum);
    }

    /// <summary>Drains: refuses new fills, sends all dirty keys, and completes when every message has been released or has failed.</summary>
    /// <param name="cancellationToken">Ends the drain: sent changes fail as unknown, all others as not applied.</param>
    public async Task StopAsync(CancellationToken cancellationToken = default)
    {
        lock (_lifeLock)
            IsStopping = true;
        if (!IsOpen)
            return;
        _telemetry.DrainBegins(GetStatistics());
        foreach (var lane in _lanes)
            lane.TryPost(new LaneInput(LaneInputKind.Stop));
        using (cancellationToken.UnsafeRegister(static client => ((StoutClient)client!).Abort(), this))
            await Task.WhenAll(_lanes.Select(lane => lane.Completion)).ConfigureAwait(false);
        _telemetry.DrainEnds(GetStatistics());
    }

    /// <summary>
    /// Drains, as <see cref="StopAsync"/> does, and closes the store. Repeated and concurrent calls all return after the store is closed. Every change has a
    /// time limit (docs/guarantees.md), so the drain ends in any case.
    /// </summary>
    public ValueTask DisposeAsync() => new(_disposal.Value);

    /// <summary>
    /// As <see cref="DisposeAsync"/>, for containers that dispose synchronously. Blocks for at most 30 s, in which the changes become durable, and then 5 s, in
    /// which the store closes. Changes that remain after 30 s fail as if the token of <see cref="StopAsync"/> had fired. Prefer <see cref="DisposeAsync"/>.
    /// </summary>
    public void Dispose() => BlockingDisposal.Run(StopAsync, DisposeAsync);

    private async Task DrainAndCloseAsync()
    {
        try
        {
            await StopAsync().ConfigureAwait(false);
            // A host that cancels its start disposes the client while the client is still opening the store. The store must be closed only after the
            // opening has ended.
            await _opening.ConfigureAwait(false);
        }
        finally
        {
            try
            {
                foreach (var lane in _lanes)
                    lane.Dispose();
                _poolWatch?.Dispose();
                _answers?.Dispose();
            }
            finally
            {
                await _store.DisposeAsync().ConfigureAwait(false);
            }
        }
    }

    private void ThrowIfStopping()
    {
        if (IsStopping)
            throw new StoppedException();
    }

    private static InvalidOperationException NotOpen() => new("The store is not open yet: it is opened when the host starts.");

    private void Abort()
    {
        _telemetry.DrainIsCutOff(GetStatistics());
        foreach (var lane in _lanes)
            lane.TryPost(new LaneInput(LaneInputKind.Abort));
    }

    /// <summary>Sends a read to the store directly, without the key's lane.</summary>
    private async ValueTask<ReadOutcome> AskAsync(KeyRead read, CancellationToken cancellationToken)
    {
        ThrowIfEmpty(read.Key);
        ThrowUnlessOpen();
        var partition = _partitions[Slots.PartitionOf(Slots.Of(read.Key), _partitions.Count)];
        return await new StoreQuestions(_options, _time, _answers).ReadAsync(partition, read, cancellationToken).ConfigureAwait(false);
    }

    private void ThrowUnlessOpen()
    {
        lock (_lifeLock)
            ThrowIfStopping();
        if (!IsOpen)
            throw NotOpen();
    }

    private void ThrowIfWithoutClaims()
    {
        if (!_store.Capabilities.Claims)
            throw new NotSupportedException("The store's proxy can't claim keys.");
    }

    private static void ThrowIfEmpty(PartitionKey key)
    {
        if (key.Text.Length == 0)
            throw new InvalidKeyException(InvalidKeyReason.Empty, 0, PartitionKey.MaxBytes);
    }

    private Lane LaneOf(PartitionKey key)
    {
        var lanes = _lanes;
        return lanes.Length switch
        {
            0 => throw (IsStopping ? new StoppedException() : NotOpen()),
            1 => lanes[0],
            _ => lanes[Slots.PartitionOf(Slots.Of(key), lanes.Length)],
        };
    }
}
