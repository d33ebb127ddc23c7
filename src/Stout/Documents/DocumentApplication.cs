namespace Stout.Documents;

/// <summary>The typed layer as the base layer sees it. Its changes come with their bytes, so no lane asks it to serialize.</summary>
internal sealed class DocumentApplication : IStoutApplication
{
    private readonly Lock _lock = new();
    private readonly List<DocumentSet> _sets = [];

    public void Add(DocumentSet set)
    {
        lock (_lock)
            _sets.Add(set);
    }

    /// <summary>Lets every call go on that waits for an object's lock, also where a function that holds the lock never returns.</summary>
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
        // The document of this fill: the set may hold that of a later one by now.
        if (filled.Requester is not Document document)
            throw new InvalidOperationException("The key was filled beside the typed layer.");
        document.Load(filled);
        return default;
    }

    public ValueTask SerializeAsync(SerializationBatch batch, CancellationToken cancellationToken) =>
        throw new InvalidOperationException("A key of the typed layer was marked beside it.");
}
