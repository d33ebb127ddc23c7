using Stout.Storage;

namespace Stout.Documents;

/// <summary>
/// The typed layer: collections of objects that are kept in memory, changed by functions, and durable when a change returns.
/// </summary>
public sealed class DocumentStore : IAsyncDisposable
{
    private DocumentStore()
    {
    }

    /// <summary>Opens the store.</summary>
    public static ValueTask<DocumentStore> OpenAsync(
        IStorageProxy store,
        DocumentStoreOptions? options = null,
        TimeProvider? timeProvider = null,
        CancellationToken cancellationToken = default) => throw new InvalidOperationException();

    /// <summary>A collection of objects of one type, with its own namespace in the keys. One instance for each name.</summary>
    /// <param name="name">1 to 64 of the characters a–z, 0–9, '-' and '_'.</param>
    /// <param name="serializer">How a part becomes bytes; null for System.Text.Json, or what suits string and byte[].</param>
    public DocumentCollection<T> Collection<T>(string name, IPartSerializer<T>? serializer = null)
        where T : class => throw new InvalidOperationException();

    /// <inheritdoc cref="StoutClient.GetStatistics"/>
    public StoutStatistics GetStatistics() => throw new InvalidOperationException();

    /// <inheritdoc cref="StoutClient.StopAsync"/>
    public Task StopAsync(CancellationToken cancellationToken = default) => throw new InvalidOperationException();

    /// <summary>Drains and closes the store.</summary>
    public ValueTask DisposeAsync() => throw new InvalidOperationException();
}
