namespace Stout.Storage;

/// <summary>
/// The epoch floor of a store partition: no header that was removed had a larger epoch. This class is for a store that keeps the floor in a row of its own,
/// and changes that row by a condition. A store with larger transactions changes the floor in the transaction that removes the header, and does not need this class.
/// </summary>
/// <param name="sharedFor">
/// The time for which the first claims of all keys share one rise of the floor by 1. Zero, the default: each first claim reads the floor.
/// </param>
/// <param name="timeProvider">The clock of that time; null: the system's.</param>
public abstract class EpochFloor(TimeSpan sharedFor = default, TimeProvider? timeProvider = null) : IDisposable
{
    // Each further attempt means that another client has raised the floor meanwhile.
    private const int MaxAttempts = 20;

    private readonly TimeProvider _time = timeProvider ?? TimeProvider.System;
    private readonly SemaphoreSlim _lock = new(1);
    private long _raised;
    private long _least = -1;
    private long? _shared;
    private long _sharedSince;

    /// <summary>The owner that a claim gives a key, as <see cref="ClaimRule.Judge"/>.</summary>
    /// <param name="stored">The stored header; the default if the store does not have the key.</param>
    /// <param name="claim">The claim.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>The owner; null if the claim is fenced.</returns>
    /// <exception cref="StoreException">The floor could not be read or raised.</exception>
    public async ValueTask<KeyOwner?> JudgeAsync(KeyHeader stored, KeyClaim claim, CancellationToken cancellationToken)
    {
        var owner = ClaimRule.Judge(stored, claim, epochFloor: 0);
        if (owner is not { } next || next == stored.Owner)
            return owner;

        // A header with an owner has existed since the key's last epoch, so only keys without an owner need the present floor.
        var floor = stored.Owner == KeyOwner.None ? FirstAsync(cancellationToken) : LeastAsync(cancellationToken);
        return ClaimRule.Judge(stored, claim, await floor.ConfigureAwait(false));
    }

    /// <summary>Raises the floor durably to at least the given epoch. Sends no request if this client has already seen such a floor.</summary>
    /// <param name="epoch">The epoch.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <exception cref="StoreException">The floor could not be raised.</exception>
    public async ValueTask RaiseAsync(long epoch, CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref _raised) >= epoch)
            return;
        using (await EnterAsync(cancellationToken).ConfigureAwait(false))
        {
            if (_raised < epoch)
                await RaiseToAsync(epoch, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Raises the floor as <see cref="RaiseAsync"/>, also for keys that have an owner (<see cref="IStorePartition.RaiseEpochFloorAsync"/>).</summary>
    /// <param name="epoch">The epoch.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <exception cref="StoreException">The floor could not be raised.</exception>
    public async ValueTask RaiseAllAsync(long epoch, CancellationToken cancellationToken)
    {
        await RaiseAsync(epoch, cancellationToken).ConfigureAwait(false);

        // The floor has risen, so the known floors are too low even if the caller has canceled.
        using (await EnterAsync(CancellationToken.None).ConfigureAwait(false))
        {
            _shared = null;
            Volatile.Write(ref _least, -1);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _lock.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>Reads the stored floor. If an earlier read found a key absent, the floor is at least the epoch of that key's removed header.</summary>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>The floor, 0 without a row; and a tag for <see cref="TryWriteAsync"/>, null without a row.</returns>
    /// <exception cref="StoreException">The floor could not be read, or is damaged.</exception>
    protected abstract ValueTask<(long Epoch, string? Tag)> ReadAsync(CancellationToken cancellationToken);

    /// <summary>Writes the floor durably if it has not changed.</summary>
    /// <param name="epoch">The new floor.</param>
    /// <param name="tag">The tag of the row that was read; null: there must be no row.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>False: another client has changed the row.</returns>
    /// <exception cref="StoreException">The floor could not be written.</exception>
    protected abstract ValueTask<bool> TryWriteAsync(long epoch, string? tag, CancellationToken cancellationToken);

    /// <summary>A floor that no earlier header of a key without an owner exceeds.</summary>
    private async ValueTask<long> FirstAsync(CancellationToken cancellationToken)
    {
        if (sharedFor <= TimeSpan.Zero)
            return (await ReadAsync(cancellationToken).ConfigureAwait(false)).Epoch;
        using (await EnterAsync(cancellationToken).ConfigureAwait(false))
        {
            if (_shared is { } known && _time.GetElapsedTime(_sharedSince) < sharedFor)
                return known;
            var now = _time.GetTimestamp();
            var floor = await RaiseToAsync(epoch: null, cancellationToken).ConfigureAwait(false);
            (_shared, _sharedSince) = (floor, now);
            return floor;
        }
    }

    /// <summary>
    /// A floor for keys that have an owner. The first call reads it, later calls do not. Only <see cref="RaiseAllAsync"/> raises such a key's epoch above its
    /// header's, and that happens when a store is opened.
    /// </summary>
    private async ValueTask<long> LeastAsync(CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref _least) is >= 0 and var known)
            return known;
        using (await EnterAsync(cancellationToken).ConfigureAwait(false))
        {
            if (_least < 0)
                Volatile.Write(ref _least, (await ReadAsync(cancellationToken).ConfigureAwait(false)).Epoch);
            return _least;
        }
    }

    /// <param name="epoch">The epoch that the floor has to reach; null: one more than the floor.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <returns>The floor before the rise.</returns>
    private async ValueTask<long> RaiseToAsync(long? epoch, CancellationToken cancellationToken)
    {
        for (var attempt = 0; attempt < MaxAttempts; attempt++)
        {
            var (before, tag) = await ReadAsync(cancellationToken).ConfigureAwait(false);
            var next = epoch ?? (before + 1);
            if (before >= next || await TryWriteAsync(next, tag, cancellationToken).ConfigureAwait(false))
            {
                Volatile.Write(ref _raised, Math.Max(before, next));
                return before;
            }
        }

        throw new StoreException(StoreErrorKind.Busy, "The epoch floor changes faster than it can be raised.");
    }

    private async ValueTask<Turn> EnterAsync(CancellationToken cancellationToken)
    {
        await _lock.WaitAsync(cancellationToken).ConfigureAwait(false);
        return new Turn(_lock);
    }

    private readonly struct Turn(SemaphoreSlim held) : IDisposable
    {
        public void Dispose() => held.Release();
    }
}
