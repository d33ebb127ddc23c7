using System.Diagnostics.CodeAnalysis;
using Orleans.Runtime;
using Stout.Orleans.Import;

namespace Stout.Orleans.Storage;

/// <summary>
/// One state in grain storage, in the hands of one owner: an activation, or a provider. The calls run one after the other, so that the version after a
/// write belongs to that write.
/// </summary>
/// <param name="key">The state's key.</param>
/// <param name="stateName">The state's name.</param>
/// <param name="grainId">The grain.</param>
/// <param name="isShared">
/// Whether calls may follow the close. Otherwise the owner has ended then, and a late call closes again what it has opened.
/// </param>
[SuppressMessage("Design", "CA1001", Justification = "Without a wait handle the semaphore holds nothing to dispose.")]
internal sealed class OwnedState(OwnedKey key, string stateName, GrainId grainId, bool isShared) : IStateKey
{
    private readonly SemaphoreSlim _turn = new(1, 1);
    private bool _isOver;

    // The call that has the turn; null without one.
    private StateCall? _call;

    /// <inheritdoc/>
    public string StateName => stateName;

    /// <inheritdoc/>
    public KeyPosition? Position => key.Position;

    /// <summary>The key is settled once it is closed: an open one may have changes under way.</summary>
    /// <inheritdoc/>
    public bool IsSettled => _call is null && key is { Handle: null, Lost: null };

    /// <inheritdoc/>
    public long Bytes { get; private set; }

    /// <summary>Reads the state. An owner that has lost the key claims it anew.</summary>
    /// <inheritdoc/>
    public async Task<(StoredState State, string? ETag)> ReadAsync(IFormerState? former, StateCall call)
    {
        await BeginTurnAsync(call).ConfigureAwait(false);
        try
        {
            var state = await FillAsync(former).ConfigureAwait(false);
            Bytes = state.Bytes.Length;
            return (state, key.ETag);
        }
        finally
        {
            await EndTurnAsync().ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public async Task<string?> ChangeAsync(StoredState next, string? etag, IFormerState? former, StateCall call)
    {
        await BeginTurnAsync(call).ConfigureAwait(false);
        try
        {
            await ExpectAsync(etag, former).ConfigureAwait(false);
            // To clear an absent state needs no write. Instead, the store confirms that this owner still has the key.
            if (key.Kind == StateKind.Absent && next.Kind != StateKind.Value)
                await key.ConfirmAsync().ConfigureAwait(false);
            else
                await key.CommitAsync(next, call).ConfigureAwait(false);
            Bytes = next.Bytes.Length;
            return key.ETag;
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

    /// <inheritdoc/>
    public Task CloseAsync()
    {
        var isLate = _call is { HasPassed: true };
        var closing = CloseInTurnAsync();
        // The callers did not wait for the outcome either. Until it is known, the next activation's calls would wait for this one's end.
        return isLate ? Task.CompletedTask : closing;
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
            if (closes || _isOver)
                await key.CloseAsync().ConfigureAwait(false);
        }
        finally
        {
            _call = null;
            _turn.Release();
        }
    }

    private async ValueTask<StoredState> FillAsync(IFormerState? former) => await key.ReadAsync(await key.OpenAsync().ConfigureAwait(false), former).ConfigureAwait(false);

    /// <summary>Opens the key if it is not open, and compares the ETag.</summary>
    private async ValueTask ExpectAsync(string? etag, IFormerState? former)
    {
        await key.ResumeAsync().ConfigureAwait(false);
        if (key is { Lost: null, Handle: null })
            await FillAsync(former).ConfigureAwait(false);
        if (key.Lost is { } lost)
            throw StateErrors.OfWrite(lost, stateName, grainId, etag);
        if (!ETag.Same(etag, key.ETag))
            throw StateErrors.OtherETag(stateName, grainId, key.ETag, etag);
    }
}
