using System.Diagnostics.CodeAnalysis;
using Orleans.Runtime;
using Stout.Orleans.Import;

namespace Stout.Orleans.Storage;

/// <summary>
/// The key of one state, opened by one owner: an activation, or a provider. The calls run one after the other, so that the version after a write
/// belongs to that write.
/// </summary>
/// <param name="store">Opens the key.</param>
/// <param name="key">The key.</param>
/// <param name="stateName">The state's name.</param>
/// <param name="grainId">The grain.</param>
/// <param name="handedOver">The position that a former activation has handed over; null without a hand-over.</param>
/// <param name="isShared">
/// Whether calls may follow the close. Otherwise the owner has ended then, and a late call closes again what it has opened.
/// </param>
[SuppressMessage("Design", "CA1001", Justification = "Without a wait handle the semaphore holds nothing to dispose.")]
internal sealed partial class OwnedKey(
    KeyStore store, PartitionKey key, string stateName, GrainId grainId, KeyPosition? handedOver = null, bool isShared = false) : IStateKey
{
    private readonly SemaphoreSlim _turn = new(1, 1);
    private KeyHandle? _handle;
    private KeyPosition? _position = handedOver;
    private StoutException? _lost;
    private StateKind _kind = handedOver?.Kind ?? StateKind.Absent;
    private string? _etag = handedOver is null ? null : ETag.Of(handedOver.Kind, handedOver.Version);
    private bool _isOver;

    // The call that has the turn; null without one.
    private StateCall? _call;

    /// <inheritdoc/>
    public string StateName => stateName;

    /// <summary>The owner and version of the key when it was closed; null while it is open, or if its content is uncertain.</summary>
    public KeyPosition? Position => _handle is null && _lost is null ? _position : null;

    /// <summary>Begins with a handle that the caller has opened.</summary>
    public void Begin(KeyHandle handle, StateKind kind)
    {
        (_handle, _position) = (handle, null);
        (_kind, _etag) = (kind, ETag.Of(kind, handle.Version));
    }

    /// <summary>Reads the state. An owner that has lost the key claims it anew.</summary>
    /// <inheritdoc/>
    public async Task<(StoredState State, string? ETag)> ReadAsync(IFormerState? former, StateCall call)
    {
        await BeginTurnAsync(call).ConfigureAwait(false);
        try
        {
            return await FillAsync(former).ConfigureAwait(false);
        }
        finally
        {
            await EndTurnAsync().ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public Task<string?> WriteAsync(ReadOnlyMemory<byte> value, string? etag, IFormerState? former, StateCall call) =>
        ChangeAsync(new StoredState(StateKind.Value, value), etag, former, call);

    /// <inheritdoc/>
    public Task<string?> ClearAsync(bool delete, string? etag, IFormerState? former, StateCall call) =>
        ChangeAsync(delete ? StoredState.Absent : StoredState.Cleared, etag, former, call);

    /// <summary>
    /// Waits until all changes are durable, and closes the key. On success <see cref="Position"/> has the key's last owner and version, if the provider
    /// claims keys.
    /// </summary>
    /// <inheritdoc/>
    public Task CloseAsync()
    {
        var isLate = _call is { HasPassed: true };
        var closing = CloseInTurnAsync();
        // The callers did not wait for the outcome either. Until it is known, the next activation's calls would wait for this one's end.
        return isLate ? Task.CompletedTask : closing;
    }

    private async Task<string?> ChangeAsync(StoredState next, string? etag, IFormerState? former, StateCall call)
    {
        await BeginTurnAsync(call).ConfigureAwait(false);
        try
        {
            await ExpectAsync(etag, former).ConfigureAwait(false);
            // To clear an absent state needs no write. Instead, the store confirms that this owner still has the key.
            if (_kind == StateKind.Absent && next.Kind != StateKind.Value)
                await ConfirmAsync().ConfigureAwait(false);
            else
                await CommitAsync(next, call).ConfigureAwait(false);
            return _etag;
        }
        catch (StoutException error)
        {
            throw StateErrors.OfWrite(error, stateName, grainId, etag);
        }
        finally
        {
            await EndTurnAsync().ConfigureAwait(false);
        }
    }

    private async Task BeginTurnAsync(StateCall call)
    {
        await _turn.WaitAsync(call.Token).ConfigureAwait(false);
        _call = call;
    }

    private async Task CloseInTurnAsync()
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        _isOver = !isShared;
        await EndTurnAsync(closes: true).ConfigureAwait(false);
    }

    /// <summary>Lets the next call begin. Once the owner has ended, a handle that a late call has opened is closed here, too.</summary>
    private async ValueTask EndTurnAsync(bool closes = false)
    {
        try
        {
            if ((closes || _isOver) && _handle is { } handle)
            {
                await KeyStore.CloseAsync(handle).ConfigureAwait(false);
                Leave(handle);
            }
        }
        catch (StoutException error)
        {
            Lose(error);
        }
        finally
        {
            _call = null;
            _turn.Release();
        }
    }

    private async ValueTask<(StoredState State, string? ETag)> FillAsync(IFormerState? former)
    {
        if (_handle is null && _position is { } position)
            await ResumeAsync(position).ConfigureAwait(false);
        OpenedKey? opened = null;
        if (_handle is { IsClosed: false } open)
        {
            try
            {
                opened = await store.ReopenAsync(open).ConfigureAwait(false);
            }
            catch (StoutException error) when (StateErrors.Cause(error) is FencedException or ConflictException or HandleClosedException)
            {
                store.Telemetry.Lost(StateErrors.Cause(error));
            }
            catch (StoutException) when (open.IsClosed)
            {
                Leave(open);
                throw;
            }
        }

        opened ??= await store.OpenAsync(key).ConfigureAwait(false);
        var handle = opened.Handle;
        if (!StoredState.TryRead(opened, out var state))
        {
            await KeyStore.CloseAsync(handle).ConfigureAwait(false);
            _handle = null;
            throw StateErrors.OfForeignObject(stateName, grainId);
        }

        (_handle, _position, _lost) = (handle, null, null);
        (_kind, _etag) = (state.Kind, ETag.Of(state.Kind, handle.Version));
        if (former is not null && state.Kind is StateKind.Absent or StateKind.Copied)
            state = await ImportAsync(former, state).ConfigureAwait(false);
        return (state, _etag);
    }

    /// <summary>
    /// Reopens the key without a read, if the store still has the position's owner and version. Otherwise all writes fail until the key is read again.
    /// </summary>
    private async ValueTask ResumeAsync(KeyPosition position)
    {
        _position = null;
        try
        {
            _handle = await store.OpenAtAsync(key, position.Owner, position.Version).ConfigureAwait(false);
        }
        catch (StoutException error) when (StateErrors.Cause(error) is FencedException or ConflictException)
        {
            Lose(error);
        }
        catch (StoutException)
        {
            _position = position;
            throw;
        }
    }

    /// <summary>Opens the key if it is not open, and compares the ETag.</summary>
    private async ValueTask ExpectAsync(string? etag, IFormerState? former)
    {
        if (_lost is null && _handle is null)
        {
            if (_position is { } position)
                await ResumeAsync(position).ConfigureAwait(false);
            else
                await FillAsync(former).ConfigureAwait(false);
        }

        if (_lost is not null)
            throw StateErrors.OfWrite(_lost, stateName, grainId, etag);
        if (!ETag.Same(etag, _etag))
            throw StateErrors.OtherETag(stateName, grainId, _etag, etag);
    }

    /// <summary>Makes a state durable.</summary>
    /// <param name="next">The state.</param>
    /// <param name="call">The call whose change it is; null for an import, which continues after the call.</param>
    private async ValueTask CommitAsync(StoredState next, StateCall? call)
    {
        var handle = _handle!;
        await handle.AdmitAsync(call?.Token ?? CancellationToken.None).ConfigureAwait(false);
        call?.HandOver();
        try
        {
            await KeyStore.WriteAsync(handle, next.ChangeFrom(_kind)).ConfigureAwait(false);
        }
        catch (StoutException error) when (handle.IsClosed)
        {
            Lose(error);
            throw;
        }

        (_kind, _etag) = (next.Kind, ETag.Of(next.Kind, handle.Version));
    }

    /// <summary>Asks the store whether the key still has this owner, or without claims this version.</summary>
    private async ValueTask ConfirmAsync()
    {
        var handle = _handle!;
        try
        {
            await handle.ConfirmAsync().ConfigureAwait(false);
        }
        catch (StoutException error) when (handle.IsClosed)
        {
            Lose(error);
            throw;
        }
    }

    /// <summary>Gives up a handle that no longer works. After a write that is certainly not applied, the next call goes on from the same version.</summary>
    private void Lose(StoutException error)
    {
        var cause = StateErrors.Cause(error);
        if (cause is FencedException or ConflictException or OutcomeUnknownException)
        {
            store.Telemetry.Lost(cause);
            (_handle, _lost) = (null, cause);
        }
        else if (_handle is { } handle)
        {
            Leave(handle);
        }
    }

    private void Leave(KeyHandle handle)
    {
        _position = store.Ownership == GrainOwnership.Claim ? new KeyPosition(handle.Owner, handle.Version, _kind) : null;
        _handle = null;
    }
}
