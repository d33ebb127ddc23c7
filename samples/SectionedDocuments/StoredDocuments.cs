using SectionedDocuments.Endpoints;
using Stout;
using Stout.Documents;

namespace SectionedDocuments;

/// <summary>The documents in a collection of Stout: an object for each document, with a part for each of its sections.</summary>
internal sealed class StoredDocuments(DocumentStore store, DocumentCollection<string> documents) : IDocuments
{
    public long AcknowledgedChanges => store.GetStatistics().MessagesReleased; // Each change has one message.

    public int HeldReplies => store.GetStatistics().WaitingMessages;

    public ValueTask<string?> ReadAsync(string id, string section, CancellationToken cancellationToken) =>
        documents.ReadAsync(id, document => document[section], cancellationToken);

    public async ValueTask WriteAsync(string id, string section, string text, CancellationToken cancellationToken) => await documents.ChangeAsync(
        id,
        (section, text),
        static (document, edit) =>
        {
            document.Set(edit.section, edit.text);
            return true;
        },
        cancellationToken);

    public ValueTask<bool> RemoveAsync(string id, string section, CancellationToken cancellationToken) => documents.ChangeAsync(
        id,
        document =>
        {
            if (!document.Remove(section))
                return false;
            if (document.Names.Count == 0)
                document.Delete(); // a document without sections does not exist
            return true;
        },
        cancellationToken);

    public ValueTask<DocumentSummary?> SummarizeAsync(string id, CancellationToken cancellationToken) => documents.ReadAsync(
        id,
        static document => document.Exists
            ? new DocumentSummary([.. document.Names.Select(name => new SectionSummary(name, document.SizeOf(name)!.Value))])
            : null,
        cancellationToken);

    public ValueTask<List<SectionText>> SelectAsync(string id, string prefix, CancellationToken cancellationToken) => documents.ReadAsync(
        id,
        document => document.NamesWithPrefix(prefix).Select(name => new SectionText(name, document.SizeOf(name)!.Value, document[name]!)).ToList(),
        cancellationToken);

    public ValueTask<bool> DeleteAsync(string id, CancellationToken cancellationToken) => documents.DeleteAsync(id, cancellationToken);

    public StoutStatistics GetStatistics() => store.GetStatistics();
}
