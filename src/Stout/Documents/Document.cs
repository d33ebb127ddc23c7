using System.Diagnostics;
using System.Runtime.ExceptionServices;
using Stout.Lanes.Shell;

namespace Stout.Documents;

/// <summary>One object in memory, from one fill until its key fails or is closed. The next access of the key then creates a new document.</summary>
/// <remarks>
/// A document has two locks. The gate is the object's lock, awaited asynchronously: it is held while a function of the service runs, during the fill, and
/// during eviction. The state lock is held briefly, never while code of the service runs. The lane takes only the state lock, so a held gate never delays the
/// lane.
/// </remarks>
/// <param name="key">The object's key.</param>
/// <param name="id">The object's id.</param>
/// <param name="set">The collection's documents.</param>
/// <param name="canBeAbandoned">Whether the first caller can cancel its wait. If so, the fill ends once all its callers have cancelled.</param>
[DebuggerDisplay("{Key}, usable: {IsUsable}")]
internal sealed class Document(PartitionKey key, string id, DocumentSet set, bool canBeAbandoned)
{
    // The largest number of attempts to open the key. A further one is needed only if an abandoned document got the key's handle and has not closed it yet.
    private const int MostOpenings = 5;

    private readonly Lock _stateLock = new();
    private readonly DocumentState _state = new();

    /// <summary>The latest change, while it is not durable.</summary>
    private Change? _lastChange;

    private KeyHandle? _handle;
    private Exception? _fillError;
    private readonly CancellationTokenSource? _abandonment = canBeAbandoned ? new() : null;
    private int _callers;
    private volatile int _runningThread;
    private bool _isAbandoned;
    private volatile bool _isFilled;
    private volatile bool _hasFailed;

    public PartitionKey Key => key;

    public string Id => id;

    /// <summary>
    /// The object's lock. The fill holds the gate from the start. After the key has failed, the gate is released once more than it was taken. So every waiting
    /// call continues and finds the document unusable.
    /// </summary>
    public SemaphoreSlim Gate { get; } = new(0);

    /// <summary>The parts. Read them only while holding the gate.</summary>
    public PartTable Parts => _state.Parts;

    /// <summary>Whether a change is admitted without waiting. The document must be usable.</summary>
    public bool IsAdmissionOpen => _handle!.IsAdmissionOpen;

    /// <summary>Waits until the lane admits a change. The document must have been filled, and the caller must not hold the gate.</summary>
    public ValueTask AdmitAsync(CancellationToken cancellationToken) => _handle!.WaitForAdmissionAsync(cancellationToken);

    /// <summary>Reports that an admitted function changed nothing, so that the lane frees the room reserved for its change.</summary>
    public void EndAdmission() => _handle!.EndAdmission();

    /// <summary>The handle of the document's fill; null before the fill has ended.</summary>
    public KeyHandle? Handle => _handle;

    /// <summary>The document's entry in the cache.</summary>
    public CacheNode CacheNode { get; } = new();

    /// <summary>The serialized size of all parts.</summary>
    public long Bytes
    {
        get
        {
            lock (_stateLock)
                return _state.Bytes;
        }
    }

    /// <summary>The approximate memory of the document.</summary>
    public long HeldBytes
    {
        get
        {
            lock (_stateLock)
                return _state.HeldBytes + MemoryCost.OfDocument(id);
        }
    }

    /// <summary>Whether the next access of the key may use the document.</summary>
    public bool IsUsable => _isFilled && !_hasFailed && !_handle!.IsClosed;

    /// <summary>
    /// The latest change of the object; null if all its changes are durable. Read it only while holding the gate: then it is the latest change that the
    /// last function has seen.
    /// </summary>
    public Change? Undurable
    {
        get
        {
            lock (_stateLock)
                return _lastChange;
        }
    }

    /// <summary>The value of the counter <see cref="DocumentSet.NextMoment"/> when the fill began.</summary>
    public long FilledAt { get; } = set.NextMoment();

    /// <summary>Whether a function of this object is running on this thread.</summary>
    public bool IsRunningHere => _runningThread == Environment.CurrentManagedThreadId;

    /// <summary>Records the start or end of a function on this thread.</summary>
    public void NoteFunction(bool begins) => _runningThread = begins ? Environment.CurrentManagedThreadId : 0;

    /// <summary>Waits for the gate and takes it. If all callers of a running fill cancel, the fill ends without a result.</summary>
    public Task EnterGateAsync(CancellationToken cancellationToken) =>
        _isFilled || _abandonment is null ? Gate.WaitAsync(cancellationToken) : WaitForFillAsync(cancellationToken);

    /// <summary>Fills the document and releases the gate. If the fill fails, the waiting calls fail with its error.</summary>
    public async Task FillAsync(StoutClient client)
    {
        try
        {
            var opened = await OpenAsync(client).ConfigureAwait(false);
            if (opened is OpenedKey.AlreadyOpen)
                opened = await OpenAnewAsync(client, opened).ConfigureAwait(false);
            if (!TryLoad(opened))
            {
                await opened.Handle.TryCloseAsync().ConfigureAwait(false);
                throw new OperationCanceledException();
            }

            set.Cache.Add(this);
            set.Cache.Trim();
        }
        catch (Exception error)
        {
            _fillError = error;
            set.Remove(this);
        }

        Gate.Release();
    }

    private async Task WaitForFillAsync(CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _callers);
        try
        {
            await Gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            if (Interlocked.Decrement(ref _callers) == 0)
                Abandon();
            throw;
        }
    }

    private void Abandon()
    {
        lock (_stateLock)
        {
            if (_handle is not null)
                return;
            _isAbandoned = true;
        }

        // The document is removed, so that the next caller starts a new fill.
        set.Remove(this);
        _abandonment!.Cancel();
    }

    private ValueTask<OpenedKey> OpenAsync(StoutClient client) => client.OpenAsync(key, set.Claims, _abandonment?.Token ?? default);

    /// <summary>Opens the key after its handle was open already. That handle has no user, since the typed layer alone uses the key, and so is closed first.</summary>
    private async ValueTask<OpenedKey> OpenAnewAsync(StoutClient client, OpenedKey opened)
    {
        for (var openings = 1; openings < MostOpenings; openings++)
        {
            await opened.Handle.TryCloseAsync().ConfigureAwait(false);
            opened = await OpenAsync(client).ConfigureAwait(false);
            if (opened is not OpenedKey.AlreadyOpen)
                return opened;
        }

        await opened.Handle.TryCloseAsync().ConfigureAwait(false);
        throw new FillFailedException(key, new InvalidOperationException("The key is open beside the typed layer."));
    }

    /// <summary>
    /// Takes what the fill has read. Each value is deserialized at its first read, so that an invalid value does not affect other parts.
    /// </summary>
    /// <returns>False if all callers have stopped waiting, so that another document serves the next call.</returns>
    private bool TryLoad(OpenedKey opened)
    {
        lock (_stateLock)
        {
            if (_isAbandoned)
                return false;
            if (opened is OpenedKey.Read { Parts: var parts })
                _state.Load(parts);
            _handle = opened.Handle;
            _isFilled = true;
            return true;
        }
    }

    public void ThrowIfFillFailed()
    {
        // After an abandoned fill, a call that is still waiting starts a new fill instead of failing.
        if (_fillError is not null && !_isAbandoned)
            ExceptionDispatchInfo.Throw(_fillError);
    }

    /// <summary>The error of a call whose time limit has passed before its function ran.</summary>
    public KeyException NotBegunInTime(bool toChange) =>
        toChange ? new NotAppliedException(key, NotAppliedReason.NotAnsweredInTime) : new FillFailedException(key, AnswerLimits.Passed());

    /// <summary>The error of a call whose time limit has passed while it waited for changes to become durable.</summary>
    public KeyException UnknownInTime() => new OutcomeUnknownException(key, OutcomeUnknownReason.NotAnsweredInTime);

    /// <summary>Reads one part without the gate. The state lock suffices, since the read runs no code of the service.</summary>
    /// <returns>False if the document is not filled yet, or unusable.</returns>
    public bool TryPeek(string name, out Part? part, out Change? undurable)
    {
        lock (_stateLock)
        {
            (part, undurable) = (null, null);
            if (!IsUsable)
                return false;
            part = _state.Parts.Find(name);
            undurable = _lastChange;
            return true;
        }
    }

    /// <summary>Returns a part's value and bytes. One of the two may be missing from memory.</summary>
    public (object? Value, ReadOnlyMemory<byte> Bytes) Read(Part part)
    {
        lock (_stateLock)
            return (part.Value, part.Bytes);
    }

    /// <summary>Whether a new version of a part may have the same bytes as the present one.</summary>
    public bool MayEqual(Part held, Part made)
    {
        lock (_stateLock)
            return held.MayEqual(made);
    }

    /// <summary>Keeps a value that was deserialized from a part's bytes.</summary>
    public void Keep(Part part, object value)
    {
        lock (_stateLock)
            set.Cache.Grow(this, _state.Keep(part, value));
    }

    /// <summary>Posts a change to the lane, then releases the gate. Until then no later change can overtake this change.</summary>
    /// <returns>False if the key was closed before, so that the change was not made.</returns>
    public bool TryCommitAndOpenGate(Change change)
    {
        try
        {
            lock (_stateLock)
            {
                if (!IsUsable)
                    return false;
                Commit_NeedsStateLock(change);
                return true;
            }
        }
        finally
        {
            Gate.Release();
        }
    }

    /// <summary>Takes the gate for eviction, if no call uses the document and all of it is durable.</summary>
    public bool TryShutGateForEviction()
    {
        if (!Gate.Wait(0))
            return false;
        lock (_stateLock)
        {
            if (_lastChange is null)
                return true;
        }

        Gate.Release();
        return false;
    }

    /// <summary>Closes the document if all of it is durable, so that the next call reads the object again.</summary>
    public async ValueTask RefreshAsync(CancellationToken cancellationToken)
    {
        await Gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        if (!IsUsable || Undurable is not null)
        {
            Gate.Release();
            return;
        }

        set.Cache.Remove(this);
        await EvictAsync().ConfigureAwait(false);
    }

    /// <summary>
    /// Closes the key, and removes the document. If the lane still has work for the key, the key stays open, and the document returns to the cache. A
    /// call that arrives meanwhile waits at the gate.
    /// </summary>
    public async Task EvictAsync()
    {
        try
        {
            if (await _handle!.TryCloseAsync().ConfigureAwait(false))
                set.Remove(this);
            else
                set.Cache.Add(this);
            set.Cache.Trim();
        }
        catch (StoutException)
        {
            // Stout has been stopped, so nothing is evicted any more.
        }

        Gate.Release();
    }

    private void Commit_NeedsStateLock(Change change)
    {
        change.MadeAt = set.NextMoment();
        change.RestsOnExpired |= _lastChange is { RestsOnExpired: true };
        _handle!.Push(change);
        _lastChange = change;
        set.Cache.Grow(this, _state.Apply(change));
    }

    /// <summary>Processes a change that is durable or has failed.</summary>
    public void Release(Change change)
    {
        bool isClean;
        lock (_stateLock)
        {
            if (change.Failure is null)
                _state.SetDurable(change);
            else
                _hasFailed = true;
            if (ReferenceEquals(_lastChange, change) && change.Failure is null)
                _lastChange = null;
            isClean = _lastChange is null;
        }

        if (change.Failure is not null)
            set.Discard(this);
        change.CompleteReaders();
        if (isClean)
            set.Cache.Trim();
    }
}
