using Stout;

namespace SectionedDocuments.Endpoints;

/// <summary>The documents, as the HTTP interface uses them. Each call returns after the state that its answer reveals is durable.</summary>
internal interface IDocuments
{
    /// <summary>The text of a section; null if it is missing.</summary>
    ValueTask<string?> ReadAsync(string id, string section, CancellationToken cancellationToken);

    /// <summary>Writes a section. Creates the section and its document if they are missing.</summary>
    ValueTask WriteAsync(string id, string section, string text, CancellationToken cancellationToken);

    /// <summary>Removes a section. The removal of the last section removes the document.</summary>
    /// <returns>Whether the section existed.</returns>
    ValueTask<bool> RemoveAsync(string id, string section, CancellationToken cancellationToken);

    /// <summary>The sections of a document without their texts; null if there is no such document.</summary>
    ValueTask<DocumentSummary?> SummarizeAsync(string id, CancellationToken cancellationToken);

    /// <summary>The sections whose names begin with a prefix, in ordinal order; an empty list if there is no such document.</summary>
    ValueTask<List<SectionText>> SelectAsync(string id, string prefix, CancellationToken cancellationToken);

    /// <summary>Removes a document with all its sections.</summary>
    /// <returns>Whether the document existed.</returns>
    ValueTask<bool> DeleteAsync(string id, CancellationToken cancellationToken);

    /// <summary>The number of changes that have been acknowledged since the start.</summary>
    long AcknowledgedChanges { get; }

    /// <summary>The number of replies that wait at this moment until the state that they reveal is durable.</summary>
    int HeldReplies { get; }

    /// <summary>The statistics of the Stout client that keeps the documents.</summary>
    StoutStatistics GetStatistics();
}
