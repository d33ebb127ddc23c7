using Stout.Storage;

namespace Stout.Testing;

/// <summary>
/// A store in trouble: passes requests on to another proxy, and injects latency, faults, stalls and death on the way, by chance, by
/// script or by call. With none of them it keeps every promise of the proxy inside; with them too, since all of them may happen to a
/// proxy that keeps its promises.
/// </summary>
/// <remarks>
/// Its members may be called from any thread, at any time. It waits on the <see cref="TimeProvider"/> and on its own holds, never on
/// the clock. It disposes of the proxy inside.
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

    /// <summary>Puts faults in front of a proxy.</summary>
    /// <param name="inner">A proxy that has not been opened.</param>
    /// <param name="options">What happens by chance; default: nothing.</param>
    /// <param name="timeProvider">What latency and death go by; default: the system's.</param>
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

    /// <summary>What happens by chance, from the next request on. Both accessors copy: a change takes effect when it is assigned.</summary>
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
    /// The fault of a key in every request that names it; null, or <see cref="StoreFault.None"/> for a key, leaves it to the requests'
    /// script and to chance.
    /// </summary>
    public Func<PartitionKey, StoreFault>? KeyScript
    {
        get => _keyScript;
        set => _keyScript = value;
    }

    /// <summary>The proxy's, but no batch is atomic while keys can fail by themselves.</summary>
    public StorageCapabilities Capabilities =>
        (_options.Keys.Sum > 0 || _keyScript is not null ? _inner.Capabilities with { AtomicBatches = false } : _inner.Capabilities) with { WarmsUp = false };

    /// <inheritdoc/>
    public StorageLimits Limits => _inner.Limits;

    /// <summary>Whether the store is dead: it can't be reached.</summary>
    public bool IsDead => _life.IsDead;

    /// <summary>Whether a hold is in force.</summary>
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

    /// <summary>Gives the next requests this fault, as a whole and instead of what chance would do. Calls add up.</summary>
    /// <param name="fault">The fault; <see cref="StoreFault.None"/> for a request without one.</param>
    /// <param name="requests">How many requests; not negative.</param>
    public void FailNext(StoreFault fault, int requests = 1)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(requests);
        _dice.Script(fault, requests);
    }

    /// <summary>How many keys of requests have had this fault so far.</summary>
    public long CountOf(StoreFault fault) => _dice.CountOf(fault);

    /// <summary>Stalls the store: requests wait until the hold is released.</summary>
    /// <param name="point">Where they wait.</param>
    /// <param name="requests">Which requests wait.</param>
    /// <param name="keys">Only requests with such a key wait; null: all.</param>
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
    /// Lets the store die until <see cref="Revive"/>: requests on their way, held or not, end as unknown, and later ones as unreachable.
    /// What has reached the store inside stays there.
    /// </summary>
    public void Kill() => _life.Die(downTime: null);

    /// <summary>Ends a death. Without one it does nothing.</summary>
    public void Revive() => _life.Revive();

    /// <summary>Releases every hold and disposes of the proxy inside.</summary>
    public async ValueTask DisposeAsync()
    {
        Release();
        _life.Dispose();
        await _inner.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>The token of the store's life.</summary>
    /// <exception cref="StoreException">It is dead.</exception>
    internal CancellationToken Alive() => _life.Current ?? throw StoreFault.Unreachable.Error(null)!;

    internal (FaultPlan Plan, TimeSpan? RetryAfter) Plan(IReadOnlyList<PartitionKey> keys)
    {
        var options = _options;
        return (_dice.Roll(options, keys, _keyScript), options.RetryAfter);
    }

    /// <exception cref="OperationCanceledException">The store dies, or has died since this life began.</exception>
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
