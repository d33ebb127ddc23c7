using System.Diagnostics.CodeAnalysis;
using Stout.Storage;

namespace Stout.Documents;

/// <summary>
/// The typed layer: collections of objects, which are kept in memory and changed by functions. A call that changes an object returns when the change is
/// durable.
/// </summary>
public sealed class DocumentStore : IAsyncDisposable, IDisposable
{
    private readonly List<DocumentSet> _sets = [];
    private readonly Dictionary<string, object> _collections = new(StringComparer.Ordinal);
    private readonly Lazy<Task> _disposal;
    private readonly List<BackgroundLoop> _sweeps = [];
    private readonly MutableTypeLog _mutableTypes;
    private volatile bool _isStopped;
    private volatile bool _hasEnded;

    /// <summary>Creates a store that is not open yet: dependency injection creates the store before the host starts, and its client opens it later.</summary>
    /// <param name="store">The store's proxy.</param>
    /// <param name="options">Validated options that no other object uses.</param>
    /// <param name="time">The clock.</param>
    /// <param name="random">Returns a random number from 0 to 1, on any thread; null for <see cref="Random.Shared"/>.</param>
    internal DocumentStore(
        IStorageProxy store,
        DocumentStoreOptions options,
        TimeProvider time,
        Func<double>? random = null)
    {
        Draw = random ?? Random.Shared.NextDouble;
        RoundTripCheck = options.RoundTripCheck;
        _mutableTypes = new MutableTypeLog(options);
        Time = time;
        Cache = new DocumentCache(options.MaxCachedObjects, options.MaxCachedBytes);
        Client = new StoutClient(store, null, options.Stout, time);
        _disposal = new Lazy<Task>(StopAndCloseAsync);
    }

    internal TimeProvider Time { get; }

    internal Func<double> Draw { get; }

    internal DocumentCache Cache { get; }

    internal StoutClient Client { get; }

    internal RoundTripCheck RoundTripCheck { get; }

    /// <summary>The sweep loops of the collections whose objects expire.</summary>
    internal IReadOnlyList<BackgroundLoop> Sweeps => _sweeps;

    /// <summary>Whether the lanes have ended, so that no further change can become durable.</summary>
    internal bool HasEnded => _hasEnded;

    /// <summary>Opens the store.</summary>
    /// <param name="store">The store's proxy. The document store owns it and disposes it.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <param name="timeProvider">The clock; null for the system's.</param>
    /// <param name="cancellationToken">Ends the opening.</param>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    /// <exception cref="StoreException">The store cannot be used.</exception>
    public static async ValueTask<DocumentStore> OpenAsync(
        IStorageProxy store,
        DocumentStoreOptions? options = null,
        TimeProvider? timeProvider = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(store);
        try
        {
            options ??= new DocumentStoreOptions();
            options.Validate();
            var documents = new DocumentStore(store, options.Copy(), timeProvider ?? TimeProvider.System);
            await documents.Client.OpenAsync(cancellationToken).ConfigureAwait(false);
            return documents;
        }
        catch
        {
            await store.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Returns a collection of objects of one type, with its own namespace in the keys. All calls with the same name return the same collection. The serializer
    /// is <see cref="StringPartSerializer"/> for string, <see cref="BytesPartSerializer"/> for byte[], and <see cref="JsonPartSerializer{T}"/> with default
    /// options for all other types.
    /// </summary>
    /// <typeparam name="T">The type of the objects' parts, preferably immutable: see <see cref="IPartSerializer{T}.ValuesAreImmutable"/>.</typeparam>
    /// <param name="name">1 to 64 of the characters a–z, 0–9, '-' and '_'.</param>
    /// <param name="options">The collection's options; null for the defaults. A later call for the same name needs equal options, with the same
    /// functions.</param>
    /// <exception cref="InvalidCollectionException">The name is invalid, or the collection was requested before with another type or other
    /// options.</exception>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    [RequiresUnreferencedCode(PartSerializers.ByReflection)]
    [RequiresDynamicCode(PartSerializers.ByReflection)]
    public DocumentCollection<T> GetCollection<T>(string name, CollectionOptions<T>? options = null)
        where T : class => Find<T>(name, null, PartSerializers.Default<T>, options);

    /// <summary>
    /// Returns a collection of objects of one type, with its own namespace in the keys. All calls with the same name return the same collection.
    /// </summary>
    /// <typeparam name="T">The type of the objects' parts, preferably immutable: see <see cref="IPartSerializer{T}.ValuesAreImmutable"/>.</typeparam>
    /// <param name="name">1 to 64 of the characters a–z, 0–9, '-' and '_'.</param>
    /// <param name="serializer">Converts parts to bytes and back.</param>
    /// <param name="options">The collection's options; null for the defaults. A later call for the same name needs equal options, with the same
    /// functions.</param>
    /// <exception cref="InvalidCollectionException">The name is invalid, or the collection was requested before with another type, another serializer
    /// or other options.</exception>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    public DocumentCollection<T> GetCollection<T>(string name, IPartSerializer<T> serializer, CollectionOptions<T>? options = null)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return Find(name, serializer, () => serializer, options);
    }

    private DocumentCollection<T> Find<T>(string name, IPartSerializer<T>? serializer, Func<IPartSerializer<T>> create, CollectionOptions<T>? options)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(name);
        if (!CollectionNames.IsValid(name))
            throw new InvalidCollectionException(name, "A collection's name is 1 to 64 of the characters a-z, 0-9, '-' and '_'.");
        options = options is null ? new CollectionOptions<T>() : options with { };
        options.Validate(Client.Capabilities);
        lock (_collections)
        {
            if (!_collections.TryGetValue(name, out var known))
            {
                if (options.Sweeps && !Client.CanList)
                    throw new InvalidOptionException(nameof(options.SweepInterval), "it must be null, since the store's proxy can't list");
                var set = new DocumentSet(name, this, options.EffectiveFreshness == Freshness.Store, options.Ownership == Ownership.Claim);
                var created = new DocumentCollection<T>(set, create(), options);
                _mutableTypes.Report(created.Serializer);
                _sets.Add(set);
                _collections.Add(name, created);
                if (!_isStopped && created.StartSweeping() is { } sweeps)
                    _sweeps.Add(sweeps);
                return created;
            }

            if (known is not DocumentCollection<T> collection)
                throw new InvalidCollectionException(name, $"The collection has parts of another type than {typeof(T)}.");
            if (serializer is not null && !ReferenceEquals(serializer, collection.Serializer))
                throw new InvalidCollectionException(name, "The collection has another serializer.");
            if (options != collection.Options)
                throw new InvalidCollectionException(name, "The collection has other options.");
            return collection;
        }
    }

    /// <inheritdoc cref="StoutClient.GetStatistics"/>
    public StoutStatistics GetStatistics() => Client.GetStatistics();

    /// <inheritdoc cref="StoutClient.StopAsync"/>
    /// <remarks>
    /// Later calls on collections fail with <see cref="StoppedException"/>. Running calls complete or fail during the drain. A call that still waits for its
    /// object's lock at the end of the drain fails with <see cref="StoppedException"/> too.
    /// </remarks>
    public async Task StopAsync(CancellationToken cancellationToken = default)
    {
        _isStopped = true;
        await StopSweepingAsync().ConfigureAwait(false);
        try
        {
            await Client.StopAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _hasEnded = true;
            OpenGates();
        }
    }

    /// <summary>Drains and closes the store. Repeated and concurrent calls all return after the store is closed.</summary>
    public ValueTask DisposeAsync()
    {
        _isStopped = true;
        return new ValueTask(_disposal.Value);
    }

    /// <inheritdoc cref="StoutClient.Dispose"/>
    public void Dispose() => BlockingDisposal.Run(StopAsync, DisposeAsync);

    internal void ThrowIfStopped()
    {
        if (_isStopped)
            throw new StoppedException();
    }

    // Releases every call that waits for an object's lock, even if the function that holds the lock never returns.
    private void OpenGates()
    {
        DocumentSet[] sets;
        lock (_collections)
            sets = [.. _sets];
        foreach (var set in sets)
            set.OpenGates();
    }

    private async Task StopSweepingAsync()
    {
        BackgroundLoop[] sweeps;
        lock (_collections)
            sweeps = [.. _sweeps];
        await Task.WhenAll(sweeps.Select(loop => loop.DisposeAsync().AsTask())).ConfigureAwait(false);
    }

    private async Task StopAndCloseAsync()
    {
        try
        {
            await StopAsync().ConfigureAwait(false);
        }
        finally
        {
            await Client.DisposeAsync().ConfigureAwait(false);
        }
    }
}
