using System.Collections.Concurrent;

namespace Stout.Documents;

/// <summary>The typed layer as the base layer sees it: routes each key to its collection's document.</summary>
internal sealed class DocumentApplication : IStoutApplication
{
    private readonly ConcurrentDictionary<string, DocumentSet> _sets = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, DocumentSet>.AlternateLookup<ReadOnlySpan<char>> _bySpan;

    public DocumentApplication() => _bySpan = _sets.GetAlternateLookup<ReadOnlySpan<char>>();

    public void Add(string name, DocumentSet set) => _sets[name] = set;

    /// <summary>Lets every call go on that waits for an object's lock, also where a function that holds the lock never returns.</summary>
    public void OpenGates()
    {
        foreach (var set in _sets.Values)
            set.OpenGates();
    }

    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken)
    {
        // The document of this fill: the set may hold that of a later one by now.
        if (filled.Requester is not Document document)
            throw new InvalidOperationException("The key was filled beside the typed layer.");
        document.Load(filled);
        return default;
    }

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken)
    {
        for (var i = 0; i < batch.Count; i++)
        {
            var key = batch[i];
            try
            {
                if (Find(key.Key) is { } document)
                    document.Serialize(key);
                else
                    key.Leave();
            }
            catch (Exception error)
            {
                key.Fail(error); // The batch's other keys have nothing to do with it.
            }
        }

        return default;
    }

    private Document? Find(PartitionKey key)
    {
        var text = key.Text.AsSpan();
        var end = text.IndexOf(DocumentSet.Separator);
        return end >= 0 && _bySpan.TryGetValue(text[..end], out var set) ? set.Find(text[(end + 1)..]) : null;
    }
}
