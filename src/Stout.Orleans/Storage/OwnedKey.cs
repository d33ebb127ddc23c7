using Orleans.Runtime;
using Stout.Orleans.Import;

namespace Stout.Orleans.Storage;

/// <summary>
/// The life of one state's key in the hands of one owner, for grain storage and facets: claim, resumption, loss, close and hand-over. The members are
/// called one after the other, except <see cref="TryLose"/>.
/// </summary>
/// <param name="store">Opens the key.</param>
/// <param name="key">The key.</param>
/// <param name="stateName">The state's name.</param>
/// <param name="grainId">The grain.</param>
/// <param name="handedOver">The position that a former activation has handed over; null without a hand-over.</param>
internal sealed partial class OwnedKey(KeyStore store, PartitionKey key, string stateName, GrainId grainId, KeyPosition? handedOver = null)
{
    private KeyPosition? _position = handedOver;
    private StoutException? _lost;

    /// <summary>The open handle; null while the key is not open.</summary>
    public KeyHandle? Handle { get; private set; }

    /// <summary>The kind of the state, once the key is open.</summary>
    public StateKind Kind { get; set; }

    /// <summary>The ETag of the state in the open key.</summary>
    public string? ETag => Storage.ETag.Of(Kind, Handle!.Version);

    /// <summary>Whether the store has no state, or a copy whose import is not finished. Then the former storage may have the state.</summary>
    public bool MayImport => Kind is StateKind.Absent or StateKind.Copied;

    /// <summary>The error with which the key was lost; null if it was not lost since it was read.</summary>
    public StoutException? Lost => _lost;

    /// <summary>The owner and version of the key when it was closed; null while it is open, or if its content is uncertain.</summary>
    public KeyPosition? Position => Handle is null && _lost is null ? _position : null;

    /// <summary>Begins with a handle that the caller has opened.</summary>
    public void Begin(KeyHandle handle, StateKind kind)
    {
        (_position, _lost) = (null, null);
        (Handle, Kind) = (handle, kind);
    }

    /// <summary>
    /// Reopens a closed key at its position without a read, if the store still has the position's owner and version. Otherwise the key is lost until it is
    /// read.
    /// </summary>
    public async ValueTask ResumeAsync()
    {
        if (Handle is not null || _position is not { } position)
            return;
        _position = null;
        try
        {
            (Handle, Kind) = (await store.OpenAtAsync(key, position.Owner, position.Version).ConfigureAwait(false), position.Kind);
        }
        catch (StoutException error) when (StateErrors.Cause(error) is FencedException or ConflictException)
        {
            TryLose(error);
        }
        catch (StoutException)
        {
            _position = position;
            throw;
        }
    }

    /// <summary>Reads the key, under the present claim if it is still this owner's. Otherwise the owner claims the key.</summary>
    public async ValueTask<OpenedKey> OpenAsync()
    {
        await ResumeAsync().ConfigureAwait(false);
        OpenedKey? opened = null;
        if (Handle is { IsClosed: false } open)
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
        Begin(opened.Handle, opened is OpenedKey.Read read ? StoredState.KindOf(read.Parts) : StateKind.Absent);
        return opened;
    }

    /// <summary>The state of grain storage in a key that <see cref="OpenAsync"/> has read. An absent state is imported.</summary>
    /// <exception cref="GrainStateNotReadException">The key holds no state of this provider.</exception>
    public async ValueTask<StoredState> ReadAsync(OpenedKey opened, IFormerState? former)
    {
        if (!StoredState.TryRead(opened, out var state))
        {
            await ForgetAsync().ConfigureAwait(false);
            throw StateErrors.OfForeignObject(stateName, grainId);
        }

        Kind = state.Kind;
        return former is not null && MayImport ? await ImportAsync(former, state).ConfigureAwait(false) : state;
    }

    /// <summary>Makes a state durable.</summary>
    /// <param name="next">The state.</param>
    /// <param name="call">The call whose change it is; null for an import, which continues after the call.</param>
    public async ValueTask CommitAsync(StoredState next, StateCall? call)
    {
        await Handle!.AdmitAsync(call?.Token ?? CancellationToken.None).ConfigureAwait(false);
        call?.HandOver();
        await UseAsync(next.ChangeFrom(Kind)).ConfigureAwait(false);
        Kind = next.Kind;
    }

    /// <summary>Asks the store whether the key still has this owner, or without claims this version.</summary>
    public ValueTask ConfirmAsync() => UseAsync(null);

    /// <summary>
    /// Waits until all changes are durable, and closes the key. On success <see cref="Position"/> has the key's last owner and version, if the provider
    /// claims keys.
    /// </summary>
    /// <returns>The error with which the key had failed; null if all changes are durable.</returns>
    public async Task<StoutException?> CloseAsync()
    {
        if (Handle is not { } handle)
            return null;
        try
        {
            await KeyStore.CloseAsync(handle).ConfigureAwait(false);
            Leave(handle);
            return null;
        }
        catch (StoutException error)
        {
            Lose(error);
            return error;
        }
    }

    /// <summary>
    /// Notes that the key is lost, if the error says that another owner has it or that its content is uncertain. The loss is counted once. The handle stays.
    /// </summary>
    /// <returns>Whether the key is lost.</returns>
    public bool TryLose(StoutException error)
    {
        var cause = StateErrors.Cause(error);
        if (cause is not (FencedException or ConflictException or OutcomeUnknownException))
            return false;
        if (Interlocked.CompareExchange(ref _lost, cause, null) is null)
            store.Telemetry.Lost(cause);
        return true;
    }

    /// <summary>Writes a change; without one, confirms the key.</summary>
    private async ValueTask UseAsync(KeyChange? change)
    {
        var handle = Handle!;
        try
        {
            if (change is null)
                await handle.ConfirmAsync().ConfigureAwait(false);
            else
                await KeyStore.WriteAsync(handle, change).ConfigureAwait(false);
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
        if (TryLose(error))
            Handle = null;
        else if (Handle is { } handle)
            Leave(handle);
    }

    private void Leave(KeyHandle handle)
    {
        _position = store.Ownership == GrainOwnership.Claim ? new KeyPosition(handle.Owner, handle.Version, Kind) : null;
        Handle = null;
    }
}
