using Orleans.Runtime;
using Stout.Orleans.Import;
using Stout.Orleans.Storage;
using Stout.Storage;

namespace Stout.Orleans.Facet;

/// <summary>The life of the facet, from the first read of the state to its hand-over in a migration.</summary>
internal sealed partial class StoutState<T>
{
    private string MigrationKey => $"stout.state.{storage.Name}/{_name}";

    private PartitionKey Key => storage.StoutKeyOf(_name, context.GrainId);

    /// <summary>Has the state read before the grain's activation, and its key closed after the grain's own deactivation.</summary>
    public void Participate(IGrainLifecycle lifecycle)
    {
        lifecycle.Subscribe(nameof(StoutState<T>), GrainLifecycleStage.SetupState, OpenAsync, static _ => Task.CompletedTask);
        lifecycle.Subscribe(nameof(StoutState<T>), GrainLifecycleStage.First, static _ => Task.CompletedTask, CloseAsync);
        lifecycle.AddMigrationParticipant(this);
    }

    /// <inheritdoc/>
    public void OnDehydrate(IDehydrationContext dehydrationContext)
    {
        if (HandedOverKey.Of(storage.Name, _name, _position) is not { } key)
            return;
        dehydrationContext.TryAddValue(MigrationKey, new HandedOverState
        {
            Key = key,
            Parts = [.. _parts.Keys],
            Values = [.. _parts.Values.Select(part => storage.Serialize(part.Value, _name, context.GrainId).ToArray())],
        });
    }

    /// <inheritdoc/>
    public void OnRehydrate(IRehydrationContext rehydrationContext)
    {
        if (!rehydrationContext.TryGetValue<HandedOverState>(MigrationKey, out var state))
            return;
        for (var i = 0; i < state.Parts.Length; i++)
            Load(state.Parts[i], state.Values[i]);
        _position = state.Key.ToPosition();
    }

    private async Task OpenAsync(CancellationToken cancellationToken)
    {
        using var call = new StateCall(storage, _name, context.GrainId, cancellationToken);
        try
        {
            _isRead = await call.WaitForReadAsync(OpenAsync(call)).ConfigureAwait(true);
        }
        catch (StoutException error)
        {
            throw StateErrors.OfRead(error, _name, context.GrainId);
        }
        finally
        {
            // A read that goes on closes what it opens.
            _isOver |= !_isRead;
        }
    }

    private async Task<bool> OpenAsync(StateCall call)
    {
        if (_worker is not null)
        {
            await ReadAsWorkerAsync(_worker, call.Token).ConfigureAwait(true);
            return true;
        }

        try
        {
            if (_position is not { } position || !await ResumeAsync(position).ConfigureAwait(true))
                await ReadAsync(call).ConfigureAwait(true);
            _position = null;
            return true;
        }
        finally
        {
            // The activation may have ended during the read.
            if (_isOver && _handle is { } handle)
                await CloseAsync(handle).ConfigureAwait(true);
        }
    }

    private async ValueTask<bool> ResumeAsync(KeyPosition position)
    {
        try
        {
            _handle = await storage.Store.OpenAtAsync(Key, position.Owner, position.Version).ConfigureAwait(true);
            _kind = position.Kind;
            return true;
        }
        catch (StoutException error) when (StateErrors.Cause(error) is FencedException or ConflictException)
        {
            return false;
        }
    }

    private async ValueTask ReadAsync(StateCall call)
    {
        _parts.Clear();
        var filled = await ClaimAsync().ConfigureAwait(true);
        if (storage.FormerStateOf<T>(_name, context.GrainId) is { } former && await MustImportAsync(former, filled).ConfigureAwait(true))
        {
            await KeyStore.CloseAsync(_handle!).ConfigureAwait(true);
            _handle = null;
            var key = storage.MakeClaimed(_name, context.GrainId);
            await key.ReadAsync(former, call).ConfigureAwait(true);
            await key.CloseAsync().ConfigureAwait(true);
            filled = await ClaimAsync().ConfigureAwait(true);
        }

        Load(filled is OpenedKey.Read, PartsOf(filled));
    }

    /// <summary>Reads the state without a claim. An import claims only a key without a state.</summary>
    private async ValueTask ReadAsWorkerAsync(Type grainClass, CancellationToken cancellationToken)
    {
        if (metadata.ConfirmReads)
            throw new StatelessWorkerStateException(_name, context.GrainId, grainClass);
        await storage.ImportAsync<T>(_name, context.GrainId, cancellationToken).ConfigureAwait(true);
        var peeked = await storage.Store.PeekAsync(Key, cancellationToken).ConfigureAwait(true);
        Load(peeked.Exists, peeked.Parts);
    }

    private static IReadOnlyList<StoredPart> PartsOf(OpenedKey claimed) => claimed is OpenedKey.Read read ? read.Parts : [];

    private async ValueTask<OpenedKey> ClaimAsync()
    {
        var filled = await storage.Store.ClaimAsync(Key).ConfigureAwait(true);
        _handle = filled.Handle;
        return filled;
    }

    private async ValueTask<bool> MustImportAsync(IFormerState former, OpenedKey filled)
    {
        if (filled is OpenedKey.Read read)
            return StoredState.KindOf(read.Parts) == StateKind.Copied;
        var record = await former.ReadAsync().ConfigureAwait(true);
        // The former record is fenced, but this activation has read no state. Either the state was deleted, or another owner has imported it since this
        // activation claimed the key. In the second case the confirmation fails.
        if (record.Kind == FormerRecordKind.Fenced)
            await _handle!.ConfirmAsync().ConfigureAwait(true);
        return record.Kind == FormerRecordKind.Value;
    }

    private void Load(bool exists, IReadOnlyList<StoredPart> parts)
    {
        _kind = exists ? StoredState.KindOf(parts) : StateKind.Absent;
        foreach (var part in parts)
        {
            if (part.SubKey != StoredState.MarkOf(_kind))
                Load(part.SubKey.Text, part.Value);
        }
    }

    private void Load(string part, ReadOnlyMemory<byte> bytes) =>
        _parts[part] = new StatePart<T>(storage.Deserialize<T>(bytes, _name, context.GrainId), StatePart<T>.HashOf(bytes.Span));

    private async Task CloseAsync(CancellationToken cancellationToken)
    {
        _isOver = true;
        if (_handle is not { } handle)
            return;
        var closing = CloseAsync(handle);
        // If a caller did not wait for the outcome, the end of the activation does not either: the next activation's calls wait for it.
        if (!_isLate)
            await storage.Store.CloseInTimeAsync(closing, cancellationToken).ConfigureAwait(true);
    }

    private async Task CloseAsync(KeyHandle handle)
    {
        try
        {
            await KeyStore.CloseAsync(handle).ConfigureAwait(true);
            if (_failure is null)
                _position = new KeyPosition(handle.Owner, handle.Version, _kind);
        }
        catch (StoutException error)
        {
            Fail(error);
        }
    }
}
