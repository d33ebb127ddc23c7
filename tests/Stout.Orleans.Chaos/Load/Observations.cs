using Stout.Orleans.Chaos.Grains;
using Stout.Orleans.Chaos.Protocol;

namespace Stout.Orleans.Chaos.Load;

/// <summary>The answers that clients have got, the outcomes of writes, and the silo on which each document's grain was last seen.</summary>
internal sealed class Observations
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, DocumentRecord> _documents = [];

    /// <summary>Notes an answer.</summary>
    public void Add(Observation observation)
    {
        lock (_lock)
        {
            var document = Of(observation.Document);
            document.Observations.Add(observation);
            document.Silo = observation.View.Silo;
        }
    }

    /// <summary>Notes the outcome of a write.</summary>
    public void AddWrite(string document, string value, Outcome outcome)
    {
        lock (_lock)
            Of(document).Writes[value] = outcome;
    }

    /// <summary>Notes values that grains have written at their deactivation.</summary>
    public void AddSaves(IEnumerable<EndSave> saves)
    {
        lock (_lock)
        {
            foreach (var save in saves)
                Of(save.Document).Saves.Add(save);
        }
    }

    /// <summary>Selects the given documents whose grains were last seen on a silo.</summary>
    public IReadOnlyList<string> On(string silo, IEnumerable<string> documents)
    {
        lock (_lock)
            return [.. documents.Where(document => _documents.GetValueOrDefault(document)?.Silo == silo)];
    }

    /// <summary>The record of a document.</summary>
    public DocumentRecord this[string document]
    {
        get
        {
            lock (_lock)
                return Of(document);
        }
    }

    private DocumentRecord Of(string document)
    {
        if (!_documents.TryGetValue(document, out var known))
            _documents[document] = known = new DocumentRecord();
        return known;
    }
}
