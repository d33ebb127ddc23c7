using Orleans.Runtime;
using Stout.Orleans.Import;
using Stout.Orleans.Storage;
using Stout.Storage;

namespace Stout.Orleans.Facet;

/// <summary>The life of the facet, from the first read of the state to its hand-over in a migration.</summary>
internal sealed partial class StoutState<T>
{
    private string MigrationKey => $"stout.state.{storage.Name}/{_name}";

    /// <summary>Has the state read before the grain's activation, and its key closed after the grain's own deactivation.</summary>
    public void Participate(IGrainLifecycle lifecycle)
    {
        lifecycle.Subscribe(nameof(StoutState<T>), GrainLifecycleStage.SetupState, OpenAsync, static _ => Task.CompletedTask);
        lifecycle.Subscribe(nameof(StoutState<T>), ActivationKeys.CloseStage, static _ => Task.CompletedTask, CloseAsync);
        lifecycle.AddMigrationParticipant(this);
    }

    /// <inheritdoc/>
    public void OnDehydrate(IDehydrationContext dehydrationContext)
    {
        if (_failure is not null || HandedOverKey.Of(storage.Name, _name, _key?.Position) is not { } key)
            return;
        format.Write(dehydrationContext);
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
        if (!format.IsThatOf(rehydrationContext) || !rehydrationContext.TryGetValue<HandedOverState>(MigrationKey, out var state))
            return;
        for (var i = 0; i < state.Parts.Length; i++)
            Load(state.Parts[i], state.Values[i]);
        _handedOver = state.Key.ToPosition();
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

        _key = storage.MakeClaimed(_name, context.GrainId, _handedOver);
        try
        {
            await _key.ResumeAsync().ConfigureAwait(true);
            if (_key.Handle is null)
                await ReadAsync(_key).ConfigureAwait(true);
            _handle = _key.Handle;
            return true;
        }
        finally
        {
            // The activation may have ended during the read.
            if (_isOver)
                await CloseAsync(_key).ConfigureAwait(true);
        }
    }

    private async ValueTask ReadAsync(OwnedKey key)
    {
        _parts.Clear();
        var opened = await key.OpenAsync().ConfigureAwait(true);
        if (storage.FormerStateOf<T>(_name, context.GrainId) is { } former && key.MayImport)
        {
            var state = await key.ReadAsync(opened, former).ConfigureAwait(true);
            if (state.HasValue)
                Load(string.Empty, state.Bytes);
        }
        else if (opened is OpenedKey.Read read)
        {
            Load(key.Kind, read.Parts);
        }
    }

    /// <summary>Reads the state without a claim. An import claims only a key without a state.</summary>
    private async ValueTask ReadAsWorkerAsync(Type grainClass, CancellationToken cancellationToken)
    {
        if (metadata.ConfirmReads)
            throw new StatelessWorkerStateException(_name, context.GrainId, grainClass);
        await storage.ImportAsync<T>(_name, context.GrainId, cancellationToken).ConfigureAwait(true);
        var peeked = await storage.Store.PeekAsync(storage.UsedKeyOf(_name, context.GrainId), cancellationToken).ConfigureAwait(true);
        if (peeked.Exists)
            Load(StoredState.KindOf(peeked.Parts), peeked.Parts);
    }

    private void Load(StateKind kind, IReadOnlyList<StoredPart> parts)
    {
        foreach (var part in parts)
        {
            if (part.SubKey != StoredState.MarkOf(kind))
                Load(part.SubKey.Text, part.Value);
        }
    }

    private void Load(string part, ReadOnlyMemory<byte> bytes) =>
        _parts[part] = new StatePart<T>(storage.Deserialize<T>(bytes, _name, context.GrainId), bytes.Span);

    private async Task CloseAsync(CancellationToken cancellationToken)
    {
        _isOver = true;
        if (_key is not { } key)
            return;
        var closing = CloseAsync(key);
        // If a caller did not wait for the outcome, the end of the activation does not either: the next activation's calls wait for it.
        if (!_isLate)
            await storage.Store.CloseInTimeAsync(closing, cancellationToken).ConfigureAwait(true);
    }

    private async Task CloseAsync(OwnedKey key)
    {
        if (await key.CloseAsync().ConfigureAwait(true) is { } error)
            Fail(error);
    }
}
