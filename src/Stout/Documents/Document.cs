using System.Runtime.ExceptionServices;
using Stout.Lanes;

namespace Stout.Documents;

/// <summary>
/// One object in memory, for the time of one fill: as a key handle, it is done with once its key has failed or was closed, and the
/// next access makes a new one.
/// </summary>
/// <remarks>
/// Two locks. The gate is the object's lock: held while a function of the service runs, while the object is filled and while it is
/// evicted, and waited for asynchronously. The state lock is held for moments and never while foreign code runs; the lane takes it
/// alone, so that a held gate never stalls the lane.
/// </remarks>
/// <param name="key">The object's key.</param>
/// <param name="id">Its id.</param>
/// <param name="set">Where it stands.</param>
/// <param name="canBeAbandoned">Whether its first caller may stop waiting: then the fill ends once every caller has.</param>
internal sealed class Document(PartitionKey key, string id, DocumentSet set, bool canBeAbandoned)
{
    private readonly Lock _stateLock = new();
    private readonly DocumentState _state = new();

    /// <summary>The last change, while it is not durable.</summary>
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
    /// Held from the start: the fill is its first holder. A document that is done with opens it once more than it was shut, so that
    /// every call gets through; each finds that the document can't be used, and runs no function on it.
    /// </summary>
    public SemaphoreSlim Gate { get; } = new(0);

    /// <summary>The parts, to be read while the gate is held.</summary>
    public PartTable Parts => _state.Parts;

    /// <summary>Whether a change is admitted at once. Needs a usable document.</summary>
    public bool IsAdmissionOpen => _handle!.IsAdmissionOpen;

    /// <summary>Waits until the lane admits a change. Needs a document that was usable, and no gate.</summary>
    public ValueTask AdmitAsync(CancellationToken cancellationToken) => _handle!.AdmitAsync(cancellationToken);

    /// <summary>An admitted function has changed nothing.</summary>
    public void EndAdmission() => _handle!.EndAdmission();

    /// <summary>The handle of the document's fill; null before the Deserialize callback has run.</summary>
    public KeyHandle? Handle => _handle;

    /// <summary>What the cache keeps about the document.</summary>
    public CacheNode CacheNode { get; } = new();

    /// <summary>The size of all parts in their serialized form.</summary>
    public long Bytes
    {
        get
        {
            lock (_stateLock)
                return _state.Bytes;
        }
    }

    /// <summary>What the document takes in memory, about.</summary>
    public long HeldBytes
    {
        get
        {
            lock (_stateLock)
                return _state.HeldBytes + MemoryCost.OfDocument(id);
        }
    }

    /// <summary>Whether the document is what its key's next access is to use.</summary>
    public bool IsUsable => _isFilled && !_hasFailed && !_handle!.IsClosed;

    /// <summary>The last change that a function has just seen and that is not durable; null if all is. Needs the gate.</summary>
    public Change? Undurable
    {
        get
        {
            lock (_stateLock)
                return _lastChange;
        }
    }

    /// <summary>When the fill began, by <see cref="DocumentSet.NextMoment"/>.</summary>
    public long FilledAt { get; } = set.NextMoment();

    /// <summary>Whether a function of this object runs on this thread.</summary>
    public bool IsRunningHere => _runningThread == Environment.CurrentManagedThreadId;

    /// <summary>A function of the object begins on this thread, or ends.</summary>
    public void NoteFunction(bool begins) => _runningThread = begins ? Environment.CurrentManagedThreadId : 0;

    /// <summary>Waits for the gate, and shuts it. A fill that all its callers have stopped waiting for ends, if its object has not been made yet.</summary>
    public Task EnterGateAsync(CancellationToken cancellationToken) =>
        _isFilled || _abandonment is null ? Gate.WaitAsync(cancellationToken) : WaitForFillAsync(cancellationToken);

    /// <summary>Fills the document and opens the gate. Its error is kept for the calls that wait there.</summary>
    public async Task FillAsync(StoutClient client)
    {
        try
        {
            var handle = await client.FillAsync(key, this, _abandonment?.Token ?? default).ConfigureAwait(false);
            if (!ReferenceEquals(handle, Handle))
                throw new FillFailedException(key, new InvalidOperationException("The key is open beside the typed layer."));
            _isFilled = true;
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

        // The next caller begins anew.
        set.Remove(this);
        _abandonment!.Cancel();
    }

    /// <summary>
    /// The Deserialize callback of the document's one fill. Values are made when they are first read, so that a bad one spoils nothing
    /// else. A call that comes after the fill has timed out changes a document that nothing uses any more.
    /// </summary>
    public void Load(FilledKey filled)
    {
        lock (_stateLock)
        {
            _state.Load(filled.Parts);
            _handle = filled.Handle;
        }
    }

    public void ThrowIfFillFailed()
    {
        // A caller that has come just then begins anew.
        if (_fillError is not null && !_isAbandoned)
            ExceptionDispatchInfo.Throw(_fillError);
    }

    /// <summary>Looks at one part without the gate: no function is run, so nothing but the state lock is needed.</summary>
    /// <returns>False if the document can't be used (yet, or any more).</returns>
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

    /// <summary>What is there to read of a part: its value, or else its bytes.</summary>
    public (object? Value, ReadOnlyMemory<byte> Bytes) Read(Part part)
    {
        lock (_stateLock)
            return (part.Value, part.Bytes);
    }

    /// <summary>Whether a new version of a part may have the bytes of the one that is held.</summary>
    public bool MayEqual(Part held, Part made)
    {
        lock (_stateLock)
            return held.MayEqual(made);
    }

    /// <summary>Keeps a value that was made of a part's bytes.</summary>
    public void Keep(Part part, object value)
    {
        lock (_stateLock)
            set.Cache.Grow(this, _state.Keep(part, value));
    }

    /// <summary>
    /// Makes a change and hands it to the lane, as soon as it fits beside what is not durable yet; then opens the gate. While it is held back the
    /// gate stays shut: its function has run on this very state and is not run again, and no later change overtakes it.
    /// </summary>
    /// <returns>False if the key was closed before: the change was not made.</returns>
    public async ValueTask<bool> CommitAndOpenGateAsync(Change change)
    {
        try
        {
            while (true)
            {
                Task wait;
                lock (_stateLock)
                {
                    if (!IsUsable)
                        return false;
                    if (_state.HasRoomFor(change, set.Limits))
                    {
                        Commit_NeedsStateLock(change);
                        return true;
                    }

                    wait = _lastChange!.Task;
                }

                // A failure of what is pending makes the document unusable, which the next round finds.
                await wait.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
        finally
        {
            Gate.Release();
        }
    }

    /// <summary>Begins to evict the document, if no call uses it and all of it is durable.</summary>
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

    /// <summary>Has the next call read the object anew, if all of it is durable.</summary>
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

    /// <summary>Gives the key up. A call that comes meanwhile waits at the gate, and then finds the document closed.</summary>
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
            // Stout has been stopped: nothing is evicted any more.
        }

        Gate.Release();
    }

    private void Commit_NeedsStateLock(Change change)
    {
        change.MadeAt = set.NextMoment();
        _handle!.Push(change, _state.UndurableWith(change).Bytes);
        _lastChange = change;
        set.Cache.Grow(this, _state.Apply(change));
    }

    /// <summary>A change is durable, or has failed.</summary>
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
        change.Complete();
        if (isClean)
            set.Cache.Trim();
    }
}
