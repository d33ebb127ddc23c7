using Stout.Tests.Lanes.Schedules;

namespace Stout.Documents.Tests.Schedules;

/// <summary>
/// The naive model of what the typed layer has in memory: of each document the state that its next function must see. Functions of
/// different objects may run at the same time.
/// </summary>
internal sealed class ScheduleMemory(Lineage lineage, Func<Storage.Stamp, int> stateOfStamp)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<KeyHandle, Known> _known = [];
    private int _numbers;

    /// <summary>A number that no change has had.</summary>
    public int NextNumber() => Interlocked.Increment(ref _numbers);

    /// <summary>A function sees a document.</summary>
    /// <returns>The state that it sees.</returns>
    public int See(Document document, Dictionary<string, int> content)
    {
        lock (_lock)
        {
            var handle = document.Handle!;
            if (!_known.TryGetValue(handle, out var known))
                _known[handle] = known = new Known(document) { State = stateOfStamp(handle.Stored) };
            Resolve(known, content);
            if (!Equal(lineage[known.State].Parts, content))
                throw new ScheduleViolation($"a function saw [{Text(content)}]; state {known.State} is [{Text(lineage[known.State].Parts)}]");
            return known.State;
        }
    }

    /// <summary>A function has changed what it saw; whether the change was made, the next look at the document tells.</summary>
    public int Make(Document document, int seen, Dictionary<string, int> content)
    {
        lock (_lock)
        {
            var made = lineage.Add(seen, content, exists: content.Count > 0);
            _known[document.Handle!].Pending = made;
            return made;
        }
    }

    /// <summary>The state of the document that a handle belongs to, while no function runs; null if none has run on it.</summary>
    public int? StateOf(KeyHandle handle)
    {
        lock (_lock)
        {
            if (!_known.TryGetValue(handle, out var known) || known.Document.Handle != handle)
                return null;
            Resolve(known, Content(known.Document));
            return known.State;
        }
    }

    public static bool Equal(Dictionary<string, int> one, Dictionary<string, int> other) =>
        one.Count == other.Count && !one.Except(other).Any();

    /// <summary>Numbers are never used twice, so the content tells whether a change was made that its function has left.</summary>
    private void Resolve(Known known, Dictionary<string, int> content)
    {
        if (known.Pending is { } pending && Equal(lineage[pending].Parts, content))
            (known.State, known.Pending) = (pending, null);
    }

    private static Dictionary<string, int> Content(Document document)
    {
        var content = new Dictionary<string, int>();
        for (var i = 0; i < document.Parts.Count; i++)
        {
            var (value, bytes) = document.Read(document.Parts[i]);
            content[document.Parts[i].Name.Text] = value is string text ? ScheduleValue.Number(text) : ScheduleValue.Number(bytes);
        }

        return content;
    }

    private static string Text(Dictionary<string, int> parts) =>
        string.Join(", ", parts.OrderBy(part => part.Key, StringComparer.Ordinal).Select(part => $"'{part.Key}'={part.Value}"));

    private sealed class Known(Document document)
    {
        public Document Document => document;

        public int State { get; set; }

        public int? Pending { get; set; }
    }
}
