using System.Text;
using Stout.Storage;

namespace Stout.Experiments.Model.Editing;

/// <summary>All documents that are edited, and their contents in the store.</summary>
internal sealed class EditedDocuments : IModelObjects
{
    private readonly Dictionary<string, EditedDocument> _documents = [];
    private readonly Dictionary<string, SortedDictionary<string, string>> _stored = [];

    public IReadOnlyCollection<EditedDocument> All => _documents.Values;

    public void Add(EditedDocument document) => _documents.Add(document.Author.Document, document);

    public void Serialize(SerializationKey key)
    {
        var document = _documents[key.Key.Text];
        foreach (var part in key.DirtyParts)
        {
            if (document.Author.TextOf(part) is { } text)
                Encoding.UTF8.GetBytes(text, key.Write(part));
            else
                key.Delete(part);
        }
    }

    public void Committed(WriteBatch batch)
    {
        for (var i = 0; i < batch.Count; i++)
        {
            var name = batch[i].Key.Text;
            if (!_stored.TryGetValue(name, out var parts))
                _stored[name] = parts = new SortedDictionary<string, string>(StringComparer.Ordinal);
            if (batch[i].Kind != KeyWriteKind.Merge)
                parts.Clear();
            foreach (var part in batch.PartsOf(i))
            {
                if (part.IsDeleted)
                    parts.Remove(part.SubKey.Text);
                else
                    parts[part.SubKey.Text] = Encoding.UTF8.GetString(part.Value.Span);
            }
        }
    }

    /// <summary>Whether the store has the final text of every document.</summary>
    public bool AreStored() => _documents.All(pair =>
        (_stored.TryGetValue(pair.Key, out var parts) ? string.Concat(parts.Values) : "") == pair.Value.Author.EndContent);
}
