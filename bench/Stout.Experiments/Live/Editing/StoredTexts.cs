using System.Collections.Concurrent;
using System.Text;
using Stout.Storage;

namespace Stout.Experiments.Live.Editing;

/// <summary>Reads documents back from the store, with a client that has no document in memory.</summary>
internal sealed class StoredTexts : IStoutApplication
{
    private readonly ConcurrentDictionary<string, string> _texts = new();

    /// <summary>Returns the stored text of each key.</summary>
    public static async Task<IReadOnlyDictionary<string, string>> ReadAsync(IStorageProxy store, IEnumerable<PartitionKey> keys, CancellationToken cancellationToken)
    {
        var texts = new StoredTexts();
        await using var client = await StoutClient.OpenAsync(store, texts, cancellationToken: cancellationToken);
        foreach (var key in keys)
            await client.FillAsync(key, cancellationToken: cancellationToken);
        return texts._texts;
    }

    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken)
    {
        _texts[filled.Key.Text] = string.Concat(filled.Parts
            .OrderBy(part => part.SubKey.Text, StringComparer.Ordinal).Select(part => Encoding.UTF8.GetString(part.Value.Span)));
        return default;
    }

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken) => default;
}
