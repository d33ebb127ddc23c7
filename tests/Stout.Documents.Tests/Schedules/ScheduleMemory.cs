using Stout.Lanes.Core;
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

    /// <summary>Checks that a function sees the state that the document must have.</summary>
    /// <returns>The state that it sees.</returns>
    public int See(Document document, Dictionary<string, int> content)
    {
        lock (_lock)
        {
            var handle = document.Handle!;
            if (!_known.TryGetValue(handle, out var known))
                _known[handle] = known = new Known(handle) { State = stateOfStamp(handle.Stored) };
            known.Resolve(lineage, content);
            if (!Equal(lineage[known.State].Parts, content))
                throw new ScheduleViolation($"a function saw [{Text(content)}]; state {known.State} is [{Text(lineage[known.State].Parts)}]");
            return known.State;
        }
    }

    /// <summary>Records the state that a function has made. The next function that sees the document shows whether the change was kept.</summary>
    public int Make(Document document, int seen, Dictionary<string, int> content)
    {
        lock (_lock)
        {
            var made = lineage.Add(seen, content, exists: content.Count > 0);
            _known[document.Handle!].Add(made);
            return made;
        }
    }

    /// <summary>
    /// The state of a key in the request that the lane is about to send. The last change that waits for this request has made the state. Called on the lane's
    /// loop only.
    /// </summary>
    public int StateCarried(string key)
    {
        lock (_lock)
        {
            var known = _known.Values.Single(known => known.Handle is { IsClosed: false } handle && handle.Key.Text == key);
            return known.StateOf(known.Handle.Work!.WaitingForCarried.Last!);
        }
    }

    public static bool Equal(Dictionary<string, int> one, Dictionary<string, int> other) =>
        one.Count == other.Count && !one.Except(other).Any();

    private static string Text(Dictionary<string, int> parts) =>
        string.Join(", ", parts.OrderBy(part => part.Key, StringComparer.Ordinal).Select(part => $"'{part.Key}'={part.Value}"));

    /// <summary>The known state of one handle's document.</summary>
    private sealed class Known(KeyHandle handle)
    {
        // The messages of the changes that the lane has sent, in its order. The functions make changes in the same order, so equal indexes in the two lists
        // belong together.
        private readonly List<Message> _sent = [];
        private readonly List<int> _made = [];
        private int? _pending;

        public KeyHandle Handle => handle;

        public int State { get; set; }

        public void Add(int made)
        {
            _pending = made;
            _made.Add(made);
        }

        /// <summary>Decides from the content whether the last change was kept. Numbers are never used twice, so the content is unambiguous.</summary>
        public void Resolve(Lineage lineage, Dictionary<string, int> content)
        {
            if (_pending is not { } pending)
                return;
            if (Equal(lineage[pending].Parts, content))
                State = pending;
            else
                _made.Remove(pending);
            _pending = null;
        }

        /// <summary>The state that a change has made. All changes that wait before it are sent with it.</summary>
        public int StateOf(Message last)
        {
            for (var message = last.Next!; ; message = message.Next!)
            {
                if (!_sent.Contains(message))
                    _sent.Add(message);
                if (message == last)
                    return _made[_sent.IndexOf(last)];
            }
        }
    }
}
