using Stout.Diagnostics;
using Stout.Lanes;
using Stout.Pacing;
using Stout.Storage;

namespace Stout;

/// <summary>
/// The base layer, with the paper's calls (section 4.4): fills keys from a store and writes their changes in batches. The typed layer
/// (<c>Stout.Documents</c>) is built on it and is easier to use.
/// </summary>
public sealed class StoutClient : IAsyncDisposable
{
    private readonly IStorageProxy _store;
    private readonly IStoutApplication _application;
    private readonly StoutOptions _options;
    private readonly TimeProvider _time;
    private IReadOnlyList<IStorePartition> _partitions = [];
    private readonly ClientTelemetry _telemetry;
    private readonly Lock _lifeLock = new();
    private readonly Lazy<Task> _disposal;
    private volatile Lane[] _lanes = [];
    private Task _opening = Task.CompletedTask;

    /// <summary>Creates a client whose store is opened later: dependency injection creates it before the host starts.</summary>
    internal StoutClient(IStorageProxy store, IStoutApplication application, StoutOptions options, TimeProvider time)
    {
        _store = store;
        _application = application;
        _options = options;
        _time = time;
        _telemetry = new ClientTelemetry(options.Diagnostics, time);
        _disposal = new Lazy<Task>(DrainAndCloseAsync);
    }

    internal StoutOptions Options => _options;

    internal bool IsOpen => _lanes.Length > 0;

    internal bool IsStopping { get; private set; }

    /// <summary>Whether the store's proxy can list keys.</summary>
    internal bool CanList => _store.Capabilities.Lists;

    /// <summary>The limits of the store's requests.</summary>
    public StorageLimits Limits => _store.Limits;

    /// <summary>Opens the store and starts a lane for each of its partitions.</summary>
    /// <param name="store">The store's proxy. The client owns it and disposes it.</param>
    /// <param name="application">The application's callbacks.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <param name="timeProvider">The clock; null for the system's.</param>
    /// <param name="cancellationToken">Stops the opening.</param>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    /// <exception cref="StoreException">The store can't be used.</exception>
    public static async ValueTask<StoutClient> OpenAsync(
        IStorageProxy store,
        IStoutApplication application,
        StoutOptions? options = null,
        TimeProvider? timeProvider = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(application);
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

    /// <summary>
    /// Stout.Fill: reads a key, calls <see cref="IStoutApplication.DeserializeAsync"/> to create its object, and returns its handle. Concurrent
    /// callers share one read and one handle. A filled key is not read again.
    /// </summary>
    /// <param name="key">The key. A key that the store does not contain is filled as absent.</param>
    /// <param name="epoch">The number of the caller's ownership, 0 or more; 0 without leases. A larger epoch than the open handle's fences that
    /// handle.</param>
    /// <param name="cancellationToken">Ends the wait. When every caller has stopped waiting, the fill ends: its read is dropped, or its handle is
    /// closed.</param>
    /// <exception cref="FillFailedException">The key could not be read, or its object could not be created.</exception>
    /// <exception cref="ObjectTooLargeException">The object is larger than the options allow.</exception>
    /// <exception cref="FencedException">A newer owner has claimed the key.</exception>
    /// <exception cref="OverloadException">Too much is undurable, and the options say to fail.</exception>
    /// <exception cref="StoppedException">Stout is stopping.</exception>
    public ValueTask<KeyHandle> FillAsync(PartitionKey key, long epoch = 0, CancellationToken cancellationToken = default) =>
        FillAsync(LaneInputKind.Fill, key, epoch, null, cancellationToken);

    /// <summary>Fills a key for an existing object, which the Deserialize callback receives as <see cref="FilledKey.Requester"/>.</summary>
    internal ValueTask<KeyHandle> FillAsync(PartitionKey key, object requester, CancellationToken cancellationToken = default) =>
        FillAsync(LaneInputKind.Fill, key, 0, requester, cancellationToken);

    /// <summary>
    /// Opens a key that the caller knows to be new, without a read and without a Deserialize callback. If the key exists after all, its first write
    /// fails with <see cref="ConflictException"/>. An open key's handle, or the handle of a running fill, is returned instead.
    /// </summary>
    /// <inheritdoc cref="FillAsync(PartitionKey, long, CancellationToken)" path="/param|/exception"/>
    public ValueTask<KeyHandle> OpenAsAbsentAsync(PartitionKey key, long epoch = 0, CancellationToken cancellationToken = default) =>
        FillAsync(LaneInputKind.OpenAsAbsent, key, epoch, null, cancellationToken);

    /// <summary>
    /// Lists the keys of the objects that the store contains, in no particular order. Changes that are not durable yet do not appear. Each key that
    /// exists throughout is listed once; a key created or deleted meanwhile may be missing. The listing reads and holds one page at a time.
    /// </summary>
    /// <param name="prefix">The prefix of the keys; empty for all keys.</param>
    /// <param name="cancellationToken">Ends the listing.</param>
    /// <exception cref="StoreException">The store could not be asked, for longer than <see cref="StoutOptions.UnreachableTimeout"/>.</exception>
    /// <exception cref="NotSupportedException">The store's proxy can't list: <see cref="StorageCapabilities.Lists"/>.</exception>
    /// <exception cref="StoppedException">The client has been stopped.</exception>
    public IAsyncEnumerable<PartitionKey> ListKeysAsync(string prefix = "", CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        lock (_lifeLock)
            ThrowIfStopping();
        if (!IsOpen)
            throw NotOpen();
        return new KeyLister(_options, _time).ListAsync(_partitions, prefix, cancellationToken);
    }

    internal void ReportSweepFailure(string collection, StoreException error) => _telemetry.SweepFailed(collection, error);

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
            // A custom law's factory may throw. Lanes that had already started would never end.
            var laws = new IPacingLaw[partitions.Count];
            for (var i = 0; i < laws.Length; i++)
                laws[i] = _options.Pacing() ?? throw new InvalidOptionException(nameof(StoutOptions.Pacing), "it must return a law");
            lock (_lifeLock)
            {
                ThrowIfStopping();
                var lanes = new Lane[partitions.Count];
                for (var i = 0; i < lanes.Length; i++)
                    lanes[i] = new Lane(partitions[i], _application, _store.Limits, _options, laws[i], _time, _telemetry.ForLane(i));
                _lanes = lanes;
                _partitions = partitions;
            }

            _telemetry.Opened(_lanes.Length);
        }
        finally
        {
            opening.SetResult();
        }
    }

    /// <summary>Returns counters since the client was opened, and its present state.</summary>
    public StoutStatistics GetStatistics()
    {
        var sum = default(StoutStatistics);
        foreach (var lane in _lanes)
            sum += lane.GetStatistics();
        return sum;
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
    /// Drains, as <see cref="StopAsync"/> does, and closes the store. The store is closed when any call returns. Every change has a time limit
    /// (docs/guarantees.md), so the drain ends in any case.
    /// </summary>
    public ValueTask DisposeAsync() => new(_disposal.Value);

    private async Task DrainAndCloseAsync()
    {
        try
        {
            await StopAsync().ConfigureAwait(false);
            // A host that cancels its start disposes a client that is still opening. The store is closed after that.
            await _opening.ConfigureAwait(false);
        }
        finally
        {
            try
            {
                foreach (var lane in _lanes)
                    lane.Dispose();
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

    private async ValueTask<KeyHandle> FillAsync(
        LaneInputKind kind, PartitionKey key, long epoch, object? requester, CancellationToken cancellationToken)
    {
        if (key.Text.Length == 0)
            throw new InvalidKeyException(InvalidKeyReason.Empty, 0, PartitionKey.MaxBytes);
        ArgumentOutOfRangeException.ThrowIfNegative(epoch);
        cancellationToken.ThrowIfCancellationRequested();
        var lane = LaneOf(key);
        await lane.AdmitAsync(toChange: false, cancellationToken).ConfigureAwait(false);
        var request = new FillRequest(key, epoch, requester);
        if (!lane.TryPost(new LaneInput(kind, Subject: request)))
            throw new StoppedException();
        // The lane drops a fill whose callers have all cancelled.
        using var gone = cancellationToken.UnsafeRegister(
            static (request, token) => ((FillRequest)request!).TrySetCanceled(token), request);
        return await request.Task.ConfigureAwait(false);
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
