namespace Stout.Documents;

/// <summary>The typed layer's callbacks for the base layer. The typed layer's changes carry their bytes, so lanes never request a serialization.</summary>
internal sealed class DocumentApplication : IStoutApplication
{
    private readonly Lock _lock = new();
    private readonly List<DocumentSet> _sets = [];

    public void Add(DocumentSet set)
    {
        lock (_lock)
            _sets.Add(set);
    }

    /// <summary>Releases every call that waits for an object's lock, even if the function that holds the lock never returns.</summary>
    public void OpenGates()
    {
        DocumentSet[] sets;
        lock (_lock)
            sets = [.. _sets];
        foreach (var set in sets)
            set.OpenGates();
    }

    public ValueTask DeserializeAsync(FilledKey filled, CancellationToken cancellationToken)
    {
        // The requester is the document of this fill. A lookup by key could find the document of a later fill instead.
        if (filled.Requester is not Document document)
            throw new InvalidOperationException("The key was filled beside the typed layer.");
        document.Load(filled);
        return default;
    }

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken) =>
        throw new InvalidOperationException("A key of the typed layer was marked beside it.");
}
