using Stout.Storage;

namespace Stout.Testing;

/// <summary>
/// A proxy that forwards requests to an inner proxy and injects latency, faults, stalls and crashes: at random, by script or by call. It keeps every
/// promise of the inner proxy, since a correct store may show all these faults.
/// </summary>
/// <remarks>
/// All members are thread-safe. Every wait uses the constructor's <see cref="TimeProvider"/>, or ends with the release of a hold. Disposal also disposes
/// the inner proxy.
/// </remarks>
public sealed class FaultyStore : IStorageProxy
{
    private readonly IStorageProxy _inner;
    private readonly TimeProvider _time;
    private readonly FaultDice _dice;
    private readonly StoreLife _life;
    private readonly Lock _lock = new();
    private readonly List<StoreHold> _holds = [];
    private volatile FaultyStoreOptions _options;
    private volatile Func<PartitionKey, StoreFault>? _keyScript;

    /// <summary>Adds faults to a proxy.</summary>
    /// <param name="inner">An unopened proxy.</param>
    /// <param name="options">The random faults; default: no faults.</param>
    /// <param name="timeProvider">The clock of latency and down time; default: the system's.</param>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    public FaultyStore(IStorageProxy inner, FaultyStoreOptions? options = null, TimeProvider? timeProvider = null)
    {
        ArgumentNullException.ThrowIfNull(inner);
        _inner = inner;
        options ??= new FaultyStoreOptions();
        options.Validate();
        _options = options.Copy();
        _time = timeProvider ?? TimeProvider.System;
        _dice = new FaultDice(_options.Seed);
        _life = new StoreLife(_time);
    }

    /// <summary>The random faults from the next request on. Both accessors copy, so a change takes effect when the property is assigned.</summary>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    public FaultyStoreOptions Options
    {
        get => _options.Copy();
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            value.Validate();
            _options = value.Copy();
        }
    }

    /// <summary>
    /// Selects the fault of a key in every request. Where the script is null or returns <see cref="StoreFault.None"/> for a key, <see cref="FailNext"/>
    /// and then the random faults decide.
    /// </summary>
    public Func<PartitionKey, StoreFault>? KeyScript
    {
        get => _keyScript;
        set => _keyScript = value;
    }

    /// <summary>
    /// The inner proxy's capabilities, except that opening makes no warm-up requests, and that batches are not atomic while keys can fail individually.
    /// </summary>
    public StorageCapabilities Capabilities =>
        (_options.Keys.Sum > 0 || _keyScript is not null ? _inner.Capabilities with { AtomicBatches = false } : _inner.Capabilities) with { WarmsUp = false };

    /// <inheritdoc/>
    public StorageLimits Limits => _inner.Limits;

    /// <summary>Whether the store is dead, and so unreachable.</summary>
    public bool IsDead => _life.IsDead;

    /// <summary>Whether any hold is active.</summary>
    public bool IsHeld
    {
        get
        {
            lock (_lock)
                return _holds.Exists(hold => !hold.IsReleased);
        }
    }

    /// <inheritdoc/>
    public async ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default)
    {
        Alive();
        var partitions = await _inner.OpenAsync(cancellationToken).ConfigureAwait(false);
        return [.. partitions.Select(partition => new FaultyPartition(this, partition))];
    }

    /// <summary>
    /// Gives each of the next requests this fault for all its keys, instead of random faults. A further call adds its requests after those of earlier
    /// calls.
    /// </summary>
    /// <param name="fault">The fault; <see cref="StoreFault.None"/> for a request without one.</param>
    /// <param name="requests">The number of requests; not negative.</param>
    public void FailNext(StoreFault fault, int requests = 1)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(requests);
        _dice.Script(fault, requests);
    }

    /// <summary>The number of keys that have had this fault so far.</summary>
    public long CountOf(StoreFault fault) => _dice.CountOf(fault);

    /// <summary>Stalls the store: requests wait until the hold is released.</summary>
    /// <param name="point">The place where the requests wait.</param>
    /// <param name="requests">The kinds of requests that wait.</param>
    /// <param name="keys">Selects requests by their keys; null for all.</param>
    public StoreHold Hold(HoldPoint point = HoldPoint.BeforeStore, HeldRequests requests = HeldRequests.All, Func<PartitionKey, bool>? keys = null)
    {
        var hold = new StoreHold(point, requests, keys);
        lock (_lock)
        {
            _holds.RemoveAll(old => old.IsReleased);
            _holds.Add(hold);
        }

        return hold;
    }

    /// <summary>Releases every hold.</summary>
    public void Release()
    {
        lock (_lock)
            _holds.ForEach(hold => hold.Release());
    }

    /// <summary>
    /// Kills the store until <see cref="Revive"/>: requests in progress end as unknown, and later ones as unreachable. The inner store keeps the
    /// requests that it has applied.
    /// </summary>
    public void Kill() => _life.Die(downTime: null);

    /// <summary>Revives a dead store. Has no effect on a store that is not dead.</summary>
    public void Revive() => _life.Revive();

    /// <summary>Releases every hold and disposes the inner proxy.</summary>
    public async ValueTask DisposeAsync()
    {
        Release();
        _life.Dispose();
        await _inner.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>A token that fires when the simulated store dies.</summary>
    /// <exception cref="StoreException">The store is dead.</exception>
    internal CancellationToken Alive() => _life.Current ?? throw StoreFault.Unreachable.Error(null)!;

    internal (FaultPlan Plan, TimeSpan? RetryAfter) Plan(IReadOnlyList<PartitionKey> keys)
    {
        var options = _options;
        return (_dice.Roll(options, keys, _keyScript), options.RetryAfter);
    }

    /// <exception cref="OperationCanceledException">The store dies now, or has died since this life began.</exception>
    internal void LiveOn(bool dies, CancellationToken life)
    {
        if (dies && !life.IsCancellationRequested)
            _life.Die(_options.DownTime);
        life.ThrowIfCancellationRequested();
    }

    internal Task TravelAsync(FaultPlan plan, CancellationToken cancellationToken) =>
        plan.Latency > TimeSpan.Zero ? Task.Delay(plan.Latency, _time, cancellationToken) : Task.CompletedTask;

    internal Task PassHoldsAsync(HoldPoint point, HeldRequests kind, IReadOnlyList<PartitionKey> keys, CancellationToken cancellationToken)
    {
        List<StoreHold> holds;
        lock (_lock)
            holds = [.. _holds];
        return Task.WhenAll(holds.Where(hold => hold.Concerns(point, kind, keys)).Select(hold => hold.PassAsync(cancellationToken)));
    }
}
