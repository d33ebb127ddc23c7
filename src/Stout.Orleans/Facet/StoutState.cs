using Orleans.Runtime;
using Stout.Orleans.HandOver;
using Stout.Orleans.Storage;

namespace Stout.Orleans.Facet;

/// <summary>The facet of one state of one activation.</summary>
internal sealed partial class StoutState<T>(StoutGrainStorage storage, IGrainContext context, StoutStateAttribute metadata, HandOverFormat format)
    : IStoutState<T>, IStateFacet, IGrainMigrationParticipant
    where T : class
{
    private const char Reserved = '$';

    private readonly string _name = metadata.StateName;
    private readonly Dictionary<string, StatePart<T>> _parts = new(StringComparer.Ordinal);
    private readonly ChangeOutcomes _changes = new();

    // The grain's class if the grain is a stateless worker. Then the state has no handle and is read-only.
    private readonly Type? _worker = storage.WorkerClassOf(context.GrainId);
    private OwnedKey? _key;

    // The handle of the key since the read. It stays after the close, so that late calls get its error.
    private KeyHandle? _handle;
    private KeyPosition? _handedOver;
    private Exception? _failure;
    private bool _isRead;
    private bool _isOver;

    // Whether a caller was told that the time limit has passed, while the outcome of its changes was open.
    private bool _isLate;

    /// <inheritdoc/>
    public T? Value => GetPart(string.Empty);

    /// <inheritdoc/>
    public IReadOnlyCollection<string> Parts
    {
        get
        {
            Enter();
            return [.. _parts.Keys.Where(part => part.Length > 0)];
        }
    }

    /// <inheritdoc/>
    public long Epoch
    {
        get
        {
            EnterAsOwner();
            return _handle!.Epoch;
        }
    }

    /// <inheritdoc/>
    public T? GetPart(string part)
    {
        Enter();
        return _parts.GetValueOrDefault(part)?.Value;
    }

    /// <inheritdoc/>
    public TResult Change<TResult>(Func<T, TResult> change, string part = "")
    {
        ArgumentNullException.ThrowIfNull(change);
        SynchronousFunction.Require<TResult>(nameof(change));
        EnterAsOwner();
        var subKey = SubKeyOf(part);
        var known = _parts.GetValueOrDefault(part);
        var value = known?.Value ?? storage.Create<T>();
        TResult result;
        try
        {
            result = change(value);
        }
        catch (Exception error)
        {
            if (known is not null && IsChanged(known))
                Fail(error);
            throw;
        }

        try
        {
            Store(subKey, value);
        }
        catch (GrainStateException error)
        {
            throw Fail(error);
        }

        return result;
    }

    /// <inheritdoc/>
    public void Change(Action<T> change, string part = "")
    {
        ArgumentNullException.ThrowIfNull(change);
        Change(
            value =>
            {
                change(value);
                return true;
            },
            part);
    }

    /// <inheritdoc/>
    public void Set(T value, string part = "")
    {
        ArgumentNullException.ThrowIfNull(value);
        EnterAsOwner();
        Store(SubKeyOf(part), value);
    }

    /// <inheritdoc/>
    public bool Remove(string part = "")
    {
        EnterAsOwner();
        var subKey = SubKeyOf(part);
        if (!_parts.Remove(part))
            return false;
        Write(new KeyChange().Remove(subKey));
        return true;
    }

    /// <inheritdoc/>
    public void Clear()
    {
        EnterAsOwner();
        if (_parts.Count == 0)
            return;
        _parts.Clear();
        var change = new KeyChange { ReplacesObject = true };
        _key!.Kind = StateKind.Absent;
        if (storage.KeepsMarks)
        {
            change.Set(StoredState.ClearedMark, default);
            _key.Kind = StateKind.Cleared;
        }

        Write(change);
    }

    /// <inheritdoc/>
    public async ValueTask WhenSafeAsync(CancellationToken cancellationToken = default)
    {
        Enter();
        if (_changes.IsSafe)
            return;
        try
        {
            await _handle!.WhenSafeAsync(cancellationToken).ConfigureAwait(true);
        }
        catch (StoutException error)
        {
            throw Fail(error);
        }
    }

    /// <inheritdoc/>
    public async ValueTask ConfirmAsync(CancellationToken cancellationToken = default)
    {
        EnterAsOwner();
        try
        {
            await _handle!.ConfirmAsync(cancellationToken).ConfigureAwait(true);
        }
        catch (StoutException error) when (_handle!.IsClosed || error is OutcomeUnknownException)
        {
            throw Fail(error);
        }
        catch (StoutException error)
        {
            throw StateErrors.OfRead(error, _name, context.GrainId);
        }
    }

    /// <inheritdoc/>
    long IStateFacet.LastChange => _changes.Last;

    /// <inheritdoc/>
    bool IStateFacet.IsSettled => _worker is not null || (_failure is null && _key?.Position is not null);

    /// <inheritdoc/>
    long IStateFacet.Bytes => _parts.Values.Sum(static part => (long)part.Bytes);

    /// <summary>If the activation has not read the state yet, the reply does not wait.</summary>
    async ValueTask IStateFacet.MayReplyAsync(long before)
    {
        if (_handle is null)
            return;
        var start = storage.Store.Answers.Now;
        try
        {
            if (metadata.ConfirmReads)
                await ConfirmAsync().ConfigureAwait(true);
            else
                await WhenSafeAsync().ConfigureAwait(true);
        }
        catch (Exception error) when (error is not GrainStateOutcomeUnknownException)
        {
            // The error may come from another change or from the confirmation. If a change of this call may be durable, its caller must not be told that
            // nothing was written.
            if (await MayBeStoredAsync(before, start).ConfigureAwait(true))
                throw new GrainStateOutcomeUnknownException(_name, context.GrainId, null, error.InnerException ?? error);
            throw;
        }
    }

    /// <summary>Whether a change of the call may be stored. A change whose outcome does not become known within the call's time limit may be.</summary>
    private async ValueTask<bool> MayBeStoredAsync(long before, long start)
    {
        var answers = storage.Store.Answers;
        var known = _changes.MayBeStoredAsync(before).AsTask();
        if (await answers.HasEndedAsync(known, answers.Left(start)).ConfigureAwait(true))
            return await known.ConfigureAwait(true);
        _isLate = true;
        return true;
    }

    private static void Released((StoutState<T> State, long Change) message, MessageRelease release)
    {
        if (release.Failure is { } failure)
        {
            message.State.Fail(failure);
            message.State._changes.Fail(message.Change, StateErrors.Cause(failure) is OutcomeUnknownException);
        }
        else
        {
            message.State._changes.Settle(message.Change);
        }
    }

    private void Store(SubKey subKey, T value)
    {
        var bytes = storage.Serialize(value, _name, context.GrainId);
        _parts[subKey.Text] = new StatePart<T>(value, bytes.Span);
        var change = new KeyChange().Set(subKey, bytes);
        if (StoredState.MarkOf(_key!.Kind) is { } mark)
            change.Remove(mark);
        _key.Kind = StateKind.Value;
        Write(change);
    }

    private void Write(KeyChange change)
    {
        var number = _changes.Begin();
        var isWritten = false;
        try
        {
            _handle!.Write(change);
            isWritten = true;
            _handle.SendMessageWhenSafe((this, number), Released);
        }
        catch (StoutException error)
        {
            if (isWritten)
                _changes.Fail(number, isUnknown: true);
            else
                _changes.Refuse(number);
            throw Fail(error);
        }
    }

    private bool IsChanged(StatePart<T> part)
    {
        try
        {
            return StatePart<T>.HashOf(storage.Serialize(part.Value, _name, context.GrainId).Span) != part.Hash;
        }
        catch (GrainStateException)
        {
            return true;
        }
    }

    /// <summary>Deactivates the activation, since its memory is ahead of the store. The next activation reads the state.</summary>
    /// <returns>
    /// The error for the present call. Each call gets an error of its own, since a change may have an unknown outcome while a later one is certainly
    /// refused.
    /// </returns>
    private Exception Fail(Exception error)
    {
        var failure = error switch
        {
            StoutException stout => StateErrors.OfWrite(stout, _name, context.GrainId, null),
            GrainStateException typed => typed,
            _ => new GrainStateNotWrittenException(
                $"The state '{_name}' of the grain {context.GrainId} was not written: a function has thrown after it had changed the value.", _name, context.GrainId, null, error),
        };
        _isLate |= error is OutcomeUnknownException { Reason: OutcomeUnknownReason.NotAnsweredInTime };
        if (Interlocked.CompareExchange(ref _failure, failure, null) is not null)
            return failure;
        if (error is StoutException lost)
            _key!.TryLose(lost);
        storage.Store.Telemetry.FacetFailed(error);
        // With an exception in the reason, Orleans rejects the calls that wait for a turn. Without it, these calls go to the next activation.
        context.Deactivate(new DeactivationReason(DeactivationReasonCode.ApplicationError, $"The state '{_name}' could not be made durable."));
        return failure;
    }

    private void Enter()
    {
        if (_failure is { } failure)
            throw failure;
        if (!_isRead)
            throw new InvalidOperationException($"The state '{_name}' is read after the grain's constructor has ended.");
        if (!storage.IsTurnOf(context))
            throw new InvalidOperationException($"The state '{_name}' belongs into the turns of its grain.");
    }

    private void EnterAsOwner()
    {
        Enter();
        if (_worker is not null)
            throw new StatelessWorkerStateException(_name, context.GrainId, _worker);
    }

    private static SubKey SubKeyOf(string part)
    {
        ArgumentNullException.ThrowIfNull(part);
        return part is [Reserved, ..]
            ? throw new ArgumentException($"The name of a part does not begin with {Reserved}.", nameof(part))
            : new SubKey(part);
    }
}
