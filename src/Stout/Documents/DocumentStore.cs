using System.Diagnostics.CodeAnalysis;
using Stout.Storage;

namespace Stout.Documents;

/// <summary>
/// The typed layer: collections of objects that are kept in memory, changed by functions, and durable when a change returns.
/// </summary>
public sealed class DocumentStore : IAsyncDisposable
{
    private readonly DocumentApplication _application = new();
    private readonly Dictionary<string, object> _collections = new(StringComparer.Ordinal);
    private readonly Lazy<Task> _disposal;
    private volatile bool _isStopped;
    private volatile bool _hasEnded;

    /// <summary>A store that is opened later, by its client: dependency injection hands it out before the host starts.</summary>
    /// <param name="store">The store's proxy.</param>
    /// <param name="options">Valid options, which no other object uses.</param>
    /// <param name="time">The clock.</param>
    /// <param name="wrap">Puts something between the lanes and the callbacks: tests hold and repeat them.</param>
    internal DocumentStore(
        IStorageProxy store, DocumentStoreOptions options, TimeProvider time, Func<IStoutApplication, IStoutApplication>? wrap = null)
    {
        RoundTripCheck = options.RoundTripCheck;
        Time = time;
        Cache = new DocumentCache(options.MaxCachedObjects, options.MaxCachedBytes);
        Client = new StoutClient(store, wrap?.Invoke(_application) ?? _application, options.Stout, time);
        _disposal = new Lazy<Task>(StopAndCloseAsync);
    }

    internal TimeProvider Time { get; }

    internal DocumentCache Cache { get; }

    internal StoutClient Client { get; }

    internal RoundTripCheck RoundTripCheck { get; }

    /// <summary>Whether the lanes have ended, so that no change can become durable any more.</summary>
    internal bool HasEnded => _hasEnded;

    /// <summary>Opens the store.</summary>
    /// <param name="store">The store's proxy; owned by the document store from now on, and disposed with it.</param>
    /// <param name="options">How to behave; null for the defaults.</param>
    /// <param name="timeProvider">The clock; null for the system's.</param>
    /// <param name="cancellationToken">Stops the opening.</param>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    /// <exception cref="StoreException">The store can't be used.</exception>
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
    /// A collection of objects of one type, with its own namespace in the keys. One instance for each name. Its serializer is
    /// <see cref="StringPartSerializer"/> where T is string, <see cref="BytesPartSerializer"/> where it is byte[], and
    /// <see cref="JsonPartSerializer{T}"/> with the default options for everything else.
    /// </summary>
    /// <typeparam name="T">The type of the objects' parts. Better an immutable one: see <see cref="IPartSerializer{T}.ValuesAreImmutable"/>.</typeparam>
    /// <param name="name">1 to 64 of the characters a–z, 0–9, '-' and '_'.</param>
    /// <param name="options">How the collection behaves where other processes write its objects too; null for the defaults.</param>
    /// <exception cref="InvalidCollectionException">
    /// The name has other characters or another length, or the collection was asked for before with another type or other options.
    /// </exception>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    [RequiresUnreferencedCode(PartSerializers.ByReflection)]
    [RequiresDynamicCode(PartSerializers.ByReflection)]
    public DocumentCollection<T> GetCollection<T>(string name, CollectionOptions? options = null)
        where T : class => Find<T>(name, null, PartSerializers.Default<T>, options);

    /// <summary>A collection of objects of one type, with its own namespace in the keys. One instance for each name.</summary>
    /// <typeparam name="T">The type of the objects' parts. Better an immutable one: see <see cref="IPartSerializer{T}.ValuesAreImmutable"/>.</typeparam>
    /// <param name="name">1 to 64 of the characters a–z, 0–9, '-' and '_'.</param>
    /// <param name="serializer">How a part becomes bytes.</param>
    /// <param name="options">How the collection behaves where other processes write its objects too; null for the defaults.</param>
    /// <exception cref="InvalidCollectionException">
    /// The name has other characters or another length, or the collection was asked for before with another type, another serializer or other options.
    /// </exception>
    /// <exception cref="InvalidOptionException">An option is out of its range.</exception>
    public DocumentCollection<T> GetCollection<T>(string name, IPartSerializer<T> serializer, CollectionOptions? options = null)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return Find(name, serializer, () => serializer, options);
    }

    private DocumentCollection<T> Find<T>(string name, IPartSerializer<T>? serializer, Func<IPartSerializer<T>> create, CollectionOptions? options)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(name);
        if (!CollectionNames.IsValid(name))
            throw new InvalidCollectionException(name, "A collection's name is 1 to 64 of the characters a-z, 0-9, '-' and '_'.");
        options = options is null ? new CollectionOptions() : options with { };
        options.Validate();
        lock (_collections)
        {
            if (!_collections.TryGetValue(name, out var known))
            {
                var set = new DocumentSet(name, this, options);
                var created = new DocumentCollection<T>(set, create());
                _application.Add(set);
                _collections.Add(name, created);
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
    /// Calls on collections fail with <see cref="StoppedException"/> from now on. Those under way end: a call that still waits for its
    /// object's lock when everything is drained fails with <see cref="StoppedException"/> too.
    /// </remarks>
    public async Task StopAsync(CancellationToken cancellationToken = default)
    {
        _isStopped = true;
        try
        {
            await Client.StopAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _hasEnded = true;
            _application.OpenGates();
        }
    }

    /// <summary>Drains and closes the store. Further calls wait for the same end: once any of them has returned, the store is closed.</summary>
    public ValueTask DisposeAsync()
    {
        _isStopped = true;
        return new ValueTask(_disposal.Value);
    }

    internal void ThrowIfStopped()
    {
        if (_isStopped)
            throw new StoppedException();
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
