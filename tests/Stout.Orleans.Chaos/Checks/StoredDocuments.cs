using Stout.Orleans.Chaos.Grains;
using Stout.Orleans.Chaos.Silos;
using Stout.Storage;

namespace Stout.Orleans.Chaos.Checks;

/// <summary>Reads documents from the store, without Orleans.</summary>
internal sealed class StoredDocuments : IStoutApplication, IAsyncDisposable
{
    private StoutClient? _client;

    public static async Task<StoredDocuments> OpenAsync(IStorageProxy store)
    {
        var documents = new StoredDocuments();
        documents._client = await StoutClient.OpenAsync(store, documents);
        return documents;
    }

    /// <summary>The values of a document.</summary>
    public async Task<IReadOnlyList<string>> ReadAsync(string document)
    {
        var key = new PartitionKey($"{SiloSetup.ServiceId}/{DocumentKinds.StateName}/{DocumentKinds.TypeOf(document)}/{document}");
        var stored = await _client!.PeekAsync(key);
        return stored.Parts.Count == 0 ? [] : DocumentSerializer.LogIn(stored.Parts.Single(part => part.SubKey.IsRoot).Value.Span);
    }

    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken) => throw new NotSupportedException();

    public ValueTask DisposeAsync() => _client!.DisposeAsync();
}
