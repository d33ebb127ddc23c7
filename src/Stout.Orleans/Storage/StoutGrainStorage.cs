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
    /// <summary>The largest number of keys that stay open for code outside their grains. Each open key takes a few hundred bytes of memory.</summary>
    private const int MostForeignKeys = 16_384;

    private readonly string _name;
    private readonly string _serviceId;
    private readonly StoutClient _client;
    private readonly KeyStore _store;
    private readonly StoutGrainStorageOptions _options;
    private readonly FormerStorage? _former;
    private readonly IGrainContextAccessor _contexts;
    private readonly IActivatorProvider _activators;
    private readonly ILogger _logger;
    private readonly KeyTable _own = new(MostForeignKeys);
    private readonly ConcurrentDictionary<Type, bool> _readable = new();

    public StoutGrainStorage(
        string name,
        string serviceId,
        StoutClient client,
        KeyStore store,
        StoutGrainStorageOptions options,
        FormerStorage? former,
        IGrainContextAccessor contexts,
        IActivatorProvider activators,
        ILogger logger)
    {
        (_name, _serviceId, _client, _store, _options, _former) = (name, serviceId, client, store, options, former);
        (_contexts, _activators, _logger) = (contexts, activators, logger);
    }

    /// <summary>Opens the provider's keys. Facets use the same object.</summary>
    internal KeyStore Store => _store;

    internal string Name => _name;

    /// <summary>
    /// Whether each removed state leaves a mark. Without the mark, the state's record in the former storage, which is not fenced, would be imported
    /// again.
    /// </summary>
    internal bool KeepsMarks => _former is { Fences: false };

    /// <inheritdoc/>
    public Task ReadStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState) =>
        ReadStateAsync(stateName, grainId, grainState, CancellationToken.None);

    /// <inheritdoc/>
    public async Task ReadStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(grainState);
        StoredState state;
        string? etag;
        try
        {
            // Continues in the grain's turn, where the grain's state is set.
            (state, etag) = await KeyOf(stateName, grainId).ReadAsync(FormerStateOf<T>(stateName, grainId), cancellationToken).ConfigureAwait(true);
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
        grainState.ETag = await KeyOf(stateName, grainId)
            .WriteAsync(bytes, grainState.ETag, FormerStateOf<T>(stateName, grainId), cancellationToken).ConfigureAwait(true);
        grainState.RecordExists = true;
    }

    /// <inheritdoc/>
    public Task ClearStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState) =>
        ClearStateAsync(stateName, grainId, grainState, CancellationToken.None);

    /// <inheritdoc/>
    public async Task ClearStateAsync<T>(string stateName, GrainId grainId, IGrainState<T> grainState, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(grainState);
        grainState.ETag = await KeyOf(stateName, grainId)
            .ClearAsync(_options.DeleteStateOnClear && !KeepsMarks, grainState.ETag, FormerStateOf<T>(stateName, grainId), cancellationToken).ConfigureAwait(true);
        grainState.State = Create<T>();
        grainState.RecordExists = false;
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
    internal PartitionKey StoutKeyOf(string stateName, GrainId grainId) => StateKeys.Of(_serviceId, stateName, grainId);

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

    private OwnedKey KeyOf(string stateName, GrainId grainId)
    {
        ArgumentNullException.ThrowIfNull(stateName);
        // Code outside the grain uses a key that the provider itself owns.
        if (_contexts.GrainContext is not { } context || context.GrainId != grainId)
            return _own.GetOrAdd(stateName, grainId, isBounded: true, this);
        var keys = ActivationKeys.Of(context);
        return keys.Find(_name, stateName) ?? keys.Add(_name, stateName, _store.Ownership == GrainOwnership.None
            ? _own.GetOrAdd(stateName, grainId, isBounded: false, this)
            : Make(stateName, grainId, keys.PositionOf(_name, stateName)));
    }

    /// <summary>Makes the key of a state that no former activation has handed over.</summary>
    internal OwnedKey Make(string stateName, GrainId grainId) => Make(stateName, grainId, null, key => _own.Remove(stateName, grainId, key));

    /// <summary>Makes the key of a facet's state, which is claimed even if <see cref="StoutGrainStorageOptions.Ownership"/> asks for no claims.</summary>
    internal OwnedKey MakeClaimed(string stateName, GrainId grainId) => new(_store.WithClaims, StoutKeyOf(stateName, grainId), stateName, grainId);

    private OwnedKey Make(string stateName, GrainId grainId, KeyPosition? position, Action<OwnedKey>? closed = null)
    {
        try
        {
            return new OwnedKey(_store, StoutKeyOf(stateName, grainId), stateName, grainId, position, closed);
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
