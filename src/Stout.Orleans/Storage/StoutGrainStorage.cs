using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Orleans.Runtime;
using Orleans.Serialization.Serializers;
using Orleans.Storage;
using Stout.Orleans.Diagnostics;
using Stout.Orleans.Import;

namespace Stout.Orleans.Storage;

/// <summary>Grain storage on a Stout client: each state is a key, and writes of different states share requests to the store.</summary>
internal sealed class StoutGrainStorage : IGrainStorage, ILifecycleParticipant<ISiloLifecycle>
{
    private readonly string _name;
    private readonly string _root;
    private readonly StoutClient _client;
    private readonly KeyStore _store;
    private readonly StoutGrainStorageOptions _options;
    private readonly FormerStorage? _former;
    private readonly KeySpace? _space;
    private readonly IGrainContextAccessor _contexts;
    private readonly IActivatorProvider _activators;
    private readonly StatelessWorkers _workers;
    private readonly ILogger _logger;
    private readonly KeyTable _shared;
    private readonly ConcurrentDictionary<Type, bool> _readable = new();

    public StoutGrainStorage(
        string name,
        string serviceId,
        StoutClient client,
        KeyStore store,
        StoutGrainStorageOptions options,
        FormerStorage? former,
        KeySpace? space,
        IGrainContextAccessor contexts,
        IActivatorProvider activators,
        StatelessWorkers workers,
        Func<IGrainFactory> grains,
        ILogger logger)
    {
        (_name, _root, _client, _store, _options) = (name, StateKeys.RootOf(options.KeyPrefix, serviceId), client, store, options);
        (_former, _space) = (former, space);
        (_contexts, _activators, _workers, _logger) = (contexts, activators, workers, logger);
        _shared = new KeyTable(MakeShared);
        Eraser = new StateEraser(this, leavesMark: former is not null, grains, logger);
    }

    /// <summary>The number of keys that calls or activations share at present.</summary>
    internal int SharedKeys => _shared.Count;

    /// <summary>Opens the provider's keys. Facets use the same object.</summary>
    internal KeyStore Store => _store;

    internal string Name => _name;

    /// <summary>Erases states.</summary>
    internal StateEraser Eraser { get; }

    internal bool Imports => _former is not null;

    /// <summary>
    /// Whether each removed state leaves a mark. Without the mark, the state's record in the former storage, which is not fenced, would be imported
    /// again.
    /// </summary>
    internal bool KeepsMarks => _former is { Fences: false };

    /// <summary>The storage, if it is one of this package.</summary>
    /// <exception cref="ArgumentException">It is not.</exception>
    internal static StoutGrainStorage Of(IGrainStorage storage)
    {
        ArgumentNullException.ThrowIfNull(storage);
        return storage as StoutGrainStorage ?? throw new ArgumentException($"{storage.GetType()} is not a Stout grain storage.", nameof(storage));
    }

    /// <inheritdoc/>
    public Task ReadStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState) =>
        ReadStateAsync(stateName, grainId, grainState, CancellationToken.None);

    /// <inheritdoc/>
    public async Task ReadStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(grainState);
        using var call = new StateCall(this, stateName, grainId, cancellationToken);
        StoredState state;
        string? etag;
        try
        {
            // Continues in the grain's turn, where the grain's state is set.
            (state, etag) = await call.WaitForReadAsync(KeyOf(stateName, grainId, writes: Imports).ReadAsync(FormerStateOf<T>(stateName, grainId), call)).ConfigureAwait(true);
        }
        catch (StoutException error)
        {
            throw StateErrors.OfRead(error, stateName, grainId);
        }

        grainState.State = state.HasValue ? Deserialize<T>(state.Bytes, stateName, grainId) : Create<T>();
        grainState.ETag = etag;
        grainState.RecordExists = state.HasValue;
    }

    /// <inheritdoc/>
    public Task WriteStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState) =>
        WriteStateAsync(stateName, grainId, grainState, CancellationToken.None);

    /// <inheritdoc/>
    public async Task WriteStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(grainState);
        // Serializes before the first wait, since the grain may change the state later.
        var bytes = Serialize(grainState.State, stateName, grainId);
        using var call = new StateCall(this, stateName, grainId, cancellationToken);
        var writing = KeyOf(stateName, grainId, writes: true).ChangeAsync(new StoredState(StateKind.Value, bytes), grainState.ETag, FormerStateOf<T>(stateName, grainId), call);
        grainState.ETag = await call.WaitForChangeAsync(writing, grainState.ETag).ConfigureAwait(true);
        grainState.RecordExists = true;
    }

    /// <inheritdoc/>
    public Task ClearStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState) =>
        ClearStateAsync(stateName, grainId, grainState, CancellationToken.None);

    /// <inheritdoc/>
    public async Task ClearStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(grainState);
        using var call = new StateCall(this, stateName, grainId, cancellationToken);
        var cleared = _options.DeleteStateOnClear && !KeepsMarks ? StoredState.Absent : StoredState.Cleared;
        var clearing = KeyOf(stateName, grainId, writes: true).ChangeAsync(cleared, grainState.ETag, FormerStateOf<T>(stateName, grainId), call);
        grainState.ETag = await call.WaitForChangeAsync(clearing, grainState.ETag).ConfigureAwait(true);
        grainState.State = Create<T>();
        grainState.RecordExists = false;
    }

    /// <summary>Imports a state that the provider does not have.</summary>
    /// <returns>Whether a state was imported.</returns>
    internal async Task<bool> ImportAsync<T>(string stateName, GrainId grainId, CancellationToken cancellationToken)
    {
        if (FormerStateOf<T>(stateName, grainId) is not { } former)
            return false;
        using var call = new StateCall(this, stateName, grainId, cancellationToken);
        return await call.WaitForReadAsync(ImportAsync(stateName, grainId, former, call)).ConfigureAwait(false);
    }

    /// <summary>
    /// Drains after all activations have ended and before the silo leaves the cluster. So the writes of a grain's former activation are durable
    /// before another silo has the grain. If Orleans' directory gives the grain away earlier, the new claim has the store refuse those writes.
    /// </summary>
    public void Participate(ISiloLifecycle observer)
    {
        ArgumentNullException.ThrowIfNull(observer);
        observer.Subscribe(nameof(StoutGrainStorage), ServiceLifecycleStage.RuntimeStorageServices, static _ => Task.CompletedTask, DrainAsync);
    }

    /// <summary>Whether the current code runs in a turn of an activation.</summary>
    internal bool IsTurnOf(IGrainContext context) => ReferenceEquals(_contexts.GrainContext, context);

    /// <summary>The Stout key of a state.</summary>
    internal PartitionKey StoutKeyOf(string stateName, GrainId grainId) => StateKeys.Under(_root, stateName, grainId);

    /// <summary>The text with which the keys of a state of all grains of a type begin.</summary>
    internal string PrefixOf(string stateName, GrainType grainType) => StateKeys.PrefixOf(_root, stateName, grainType);

    /// <summary>The class of a grain that is a stateless worker; null for any other grain.</summary>
    internal Type? WorkerClassOf(GrainId grainId) => _workers.ClassOf(grainId.Type);

    internal ReadOnlyMemory<byte> Serialize<T>(T? value, string stateName, GrainId grainId)
    {
        ReadOnlyMemory<byte> bytes;
        try
        {
            bytes = _options.GrainStorageSerializer.Serialize(value).ToMemory();
        }
        catch (Exception error)
        {
            throw new GrainStateSerializationException(
                $"The state '{stateName}' of the grain {grainId} was not written: the serializer has thrown.", stateName, grainId, error);
        }

        if (bytes.Length > _store.MaxValueBytes)
            throw new GrainStateTooLargeException(stateName, grainId, bytes.Length, _store.MaxValueBytes);
        // Orleans' JSON serializer writes some types that it refuses to read. So the first value of each type is read back before it is stored.
        if (!_readable.ContainsKey(typeof(T)))
        {
            _ = Deserialize<T>(bytes, stateName, grainId);
            _readable[typeof(T)] = true;
        }

        return bytes;
    }

    internal T Deserialize<T>(ReadOnlyMemory<byte> bytes, string stateName, GrainId grainId)
    {
        try
        {
            return _options.GrainStorageSerializer.Deserialize<T>(bytes) ?? Create<T>();
        }
        catch (Exception error)
        {
            throw new GrainStateSerializationException(
                $"The serialized state '{stateName}' of the grain {grainId} could not be read: the serializer has thrown.", stateName, grainId, error);
        }
    }

    /// <summary>The state in the former storage, from which it is imported; null without an import.</summary>
    internal IFormerState? FormerStateOf<T>(string stateName, GrainId grainId) =>
        _former is null ? null : new FormerState<T>(_former, this, stateName, grainId);

    internal T Create<T>() => _activators.GetActivator<T>().Create();

    /// <summary>Makes the key of a facet's state, which is claimed even if <see cref="StoutGrainStorageOptions.Ownership"/> asks for no claims.</summary>
    internal OwnedKey MakeClaimed(string stateName, GrainId grainId, KeyPosition? handedOver) =>
        new(_store.WithClaims, UsedKeyOf(stateName, grainId), stateName, grainId, handedOver);

    /// <summary>The Stout key of a state that this provider begins to use.</summary>
    /// <exception cref="GrainStateOfOtherProviderException">The state belongs to another provider, which has the same keys.</exception>
    internal PartitionKey UsedKeyOf(string stateName, GrainId grainId)
    {
        Use(stateName, grainId);
        return StoutKeyOf(stateName, grainId);
    }

    /// <summary>The Stout key of a state that this provider may use. The state does not become this provider's.</summary>
    /// <exception cref="GrainStateOfOtherProviderException">The state belongs to another provider, which has the same keys.</exception>
    internal PartitionKey AllowedKeyOf(string stateName, GrainId grainId)
    {
        _space?.Check(_name, stateName, grainId);
        return StoutKeyOf(stateName, grainId);
    }

    private void Use(string stateName, GrainId grainId) => _space?.Enter(_name, stateName, grainId);

    private async Task<bool> ImportAsync(string stateName, GrainId grainId, IFormerState former, StateCall call)
    {
        Use(stateName, grainId);
        var peeked = await _store.PeekAsync(CheckedKeyOf(stateName, grainId), call.Token).ConfigureAwait(false);
        if (peeked.Exists && StoredState.KindOf(peeked.Parts) != StateKind.Copied)
            return false;
        return (await new SharedKey(_shared, stateName, grainId).ReadAsync(former, call).ConfigureAwait(false)).State.HasValue;
    }

    /// <summary>The key for a call of the present code. A read from outside the grain does not make a state this provider's.</summary>
    private IStateKey KeyOf(string stateName, GrainId grainId, bool writes)
    {
        ArgumentNullException.ThrowIfNull(stateName);
        if (_contexts.GrainContext is not { } context || context.GrainId != grainId)
        {
            if (writes)
                Use(stateName, grainId);
            return new SharedKey(_shared, stateName, grainId);
        }

        var keys = ActivationKeys.Of(context);
        return keys.Find(_name, stateName) ?? AddTo(keys, stateName, grainId);
    }

    private IStateKey AddTo(ActivationKeys keys, string stateName, GrainId grainId) =>
        keys.Add(_name, stateName, _store, () => MakeOwn(keys, stateName, grainId));

    private IStateKey MakeOwn(ActivationKeys keys, string stateName, GrainId grainId)
    {
        Use(stateName, grainId);
        if (_store.Ownership == GrainOwnership.None)
            return new SharedKey(_shared, stateName, grainId).Hold();
        return _workers.ClassOf(grainId.Type) is { } worker
            ? new WorkerKey(new SharedKey(_shared, stateName, grainId), grainId, worker)
            : MakeOwned(stateName, grainId, keys.PositionOf(_name, stateName), isShared: false);
    }

    private IStateKey MakeShared(string stateName, GrainId grainId) => _store.Ownership == GrainOwnership.None
        ? MakeOwned(stateName, grainId, null, isShared: true)
        : new OutsideKey(_store, CheckedKeyOf(stateName, grainId), stateName, grainId);

    private OwnedState MakeOwned(string stateName, GrainId grainId, KeyPosition? handedOver, bool isShared) =>
        new(new OwnedKey(_store, CheckedKeyOf(stateName, grainId), stateName, grainId, handedOver), stateName, grainId, isShared);

    private PartitionKey CheckedKeyOf(string stateName, GrainId grainId)
    {
        try
        {
            return AllowedKeyOf(stateName, grainId);
        }
        catch (InvalidKeyException error)
        {
            throw StateErrors.OfRead(error, stateName, grainId);
        }
    }

    private Task DrainAsync(CancellationToken cancellationToken)
    {
        _logger.Draining(_name);
        return _client.StopAsync(cancellationToken);
    }
}
