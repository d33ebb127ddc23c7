using Stout;

namespace SectionedDocuments.Endpoints;

/// <summary>The documents, as the HTTP interface uses them. Each call returns when everything that its answer tells is durable.</summary>
internal interface IDocuments
{
    /// <summary>The text of a section; null if it is missing.</summary>
    ValueTask<string?> ReadAsync(string id, string section, CancellationToken cancellationToken);

    /// <summary>Writes a section. Makes it, and its document, where they are missing.</summary>
    ValueTask WriteAsync(string id, string section, string text, CancellationToken cancellationToken);

    /// <summary>Removes a section, and with the last one the document.</summary>
    /// <returns>Whether there was one.</returns>
    ValueTask<bool> RemoveAsync(string id, string section, CancellationToken cancellationToken);

    /// <summary>The sections of a document without their texts; null if there is no such document.</summary>
    ValueTask<DocumentSummary?> SummarizeAsync(string id, CancellationToken cancellationToken);

    /// <summary>The sections whose names begin with a prefix, in ordinal order; an empty list if there is no such document.</summary>
    ValueTask<List<SectionText>> SelectAsync(string id, string prefix, CancellationToken cancellationToken);

    /// <summary>Removes a document with all its sections.</summary>
    /// <returns>Whether there was one.</returns>
    ValueTask<bool> DeleteAsync(string id, CancellationToken cancellationToken);

    /// <summary>The changes that have been acknowledged since the start.</summary>
    long AcknowledgedChanges { get; }

    /// <summary>The replies that wait at this moment until everything that they tell is durable.</summary>
    int HeldReplies { get; }

    /// <summary>The figures of the Stout that keeps the documents.</summary>
    StoutStatistics GetStatistics();
}
