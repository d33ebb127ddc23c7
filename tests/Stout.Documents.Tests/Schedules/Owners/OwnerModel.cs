using Stout.Storage;
using Stout.Tests.Lanes.Schedules;

namespace Stout.Documents.Tests.Schedules.Owners;

/// <summary>
/// The naive model of several clients that claim the objects of one store: the rows, every version that each has had, and every change. It checks each
/// commit, each look of a function at memory, and each answer.
/// </summary>
/// <param name="bug">The store's planted bug.</param>
internal sealed class OwnerModel(OwnerBug bug)
{
    private readonly Lock _lock = new();
    private readonly List<OwnerChange?> _changes = [null];
    private readonly Dictionary<string, History> _objects = [];
    private readonly List<KeyRead> _lateClaims = [];

    public void Begin(OwnerCall call)
    {
        lock (_lock)
        {
            var history = HistoryOf(call.Id);
            (call.Begun, call.Shown) = (history.Versions.Count - 1, history.Shown.GetValueOrDefault(call.Client));
        }
    }

    /// <summary>
    /// Checks the value that a function sees in its client's memory. The value must include every version that the store has held under the owner of
    /// the object in memory. Only that owner has written those versions, and it claimed the object before its read.
    /// </summary>
    public int See(OwnerCall call, KeyOwner owner, string? text)
    {
        lock (_lock)
        {
            call.Saw = text is null ? 0 : ScheduleValue.Number(text);
            var at = call.Saw;
            for (; at != 0 && _changes[at]!.CommittedAt < 0; at = _changes[at]!.Saw)
            {
                if (_changes[at]!.Call.Client != call.Client)
                    throw new ScheduleViolation($"{call} sees {at} of client {_changes[at]!.Call.Client}, which is not durable");
            }

            if (!HistoryOf(call.Id).Under.TryGetValue(owner, out var last))
                throw new ScheduleViolation($"{call} sees an object of {owner}, which the store has never held");
            if (IndexOf(at) < last)
                throw new ScheduleViolation($"{call} sees {call.Saw}; under the same owner the store held {HistoryOf(call.Id).Versions[last]}");
            return call.Saw;
        }
    }

    /// <summary>Records that a function changes the value that it has seen.</summary>
    /// <returns>The new value.</returns>
    public string Make(OwnerCall call)
    {
        lock (_lock)
        {
            var change = new OwnerChange(_changes.Count, call, call.Saw);
            _changes.Add(change);
            call.Made.Add(change);
            return ScheduleValue.Text(change.Number);
        }
    }

    public Row? Find(string key)
    {
        lock (_lock)
        {
            var history = HistoryOf(IdOf(key));
            if (bug != OwnerBug.ClaimReadsStaleObject || history.Versions is not [.., var earlier, _] || earlier == 0)
                return history.Row;
            return new Row { Stamp = history.Row.Stamp, Owner = history.Row.Owner, Exists = true, Parts = { [string.Empty] = earlier } };
        }
    }

    /// <summary>Applies a claim to the store.</summary>
    /// <returns>The owner that the claimant is told.</returns>
    public KeyOwner Claim(KeyRead read)
    {
        lock (_lock)
        {
            var history = HistoryOf(IdOf(read.Key.Text));
            // A refused claim is told the stored owner.
            if (ClaimRule.Judge(new KeyHeader(history.Row.Stamp, history.Row.Owner), read.Claim!, epochFloor: 0) is not { } owner)
                return history.Row.Owner;
            if (bug == OwnerBug.ClaimAfterRead)
            {
                _lateClaims.Add(read);
                history.Under[owner] = history.Versions.Count - 1;
            }
            else
                history.Take(owner);
            return owner;
        }
    }

    /// <summary>Applies the claims that the store has put off by the planted bug <see cref="OwnerBug.ClaimAfterRead"/>.</summary>
    public void ClaimLate()
    {
        lock (_lock)
        {
            foreach (var read in _lateClaims)
            {
                var history = HistoryOf(IdOf(read.Key.Text));
                history.Take(ClaimRule.Judge(new KeyHeader(history.Row.Stamp, history.Row.Owner), read.Claim!, epochFloor: 0)!.Value);
            }

            _lateClaims.Clear();
        }
    }

    /// <summary>Applies a client's write to the store if the row has the owner and the stamp that the write names.</summary>
    public WriteOutcome Apply(ScheduleWrite write)
    {
        lock (_lock)
        {
            var history = HistoryOf(IdOf(write.Write.Key.Text));
            var row = history.Row;
            var judged = bug switch
            {
                OwnerBug.OwnerIgnored => write.Write with { Owner = row.Owner },
                OwnerBug.StampIgnored => write.Write with { Owner = row.Owner, Expected = row.Stamp },
                _ => write.Write,
            };
            if (StampRule.Judge(new KeyHeader(row.Stamp, row.Owner), judged) is { } settled)
                return settled.Kind == WriteOutcomeKind.Committed ? settled with { Token = row.Stamp } : settled;
            var number = write.Parts.Single().Value;
            Commit(history, number);
            (row.Stamp, row.Exists, row.Parts[string.Empty]) = (write.Write.Next, true, number);
            return new WriteOutcome(WriteOutcomeKind.Committed, Token: row.Stamp);
        }
    }

    /// <summary>
    /// Checks that the value in a call's answer is durable, and no older than the values of earlier answers to the same client. A confirmed answer must
    /// be no older than the store's version when the call began.
    /// </summary>
    public void Saw(OwnerCall call, int number)
    {
        lock (_lock)
        {
            if (number != 0 && _changes[number]!.CommittedAt < 0)
                throw new ScheduleViolation($"{call} tells of {number} before it is durable");
            var (index, versions) = (IndexOf(number), HistoryOf(call.Id).Versions);
            if (index < call.Shown)
                throw new ScheduleViolation($"{call} tells of {number}; its client had been told of {versions[call.Shown]} before");
            if (call.IsConfirmed && index < call.Begun)
                throw new ScheduleViolation($"{call} tells of {number}; when it began the store held {versions[call.Begun]}");
            Show(call, index);
        }
    }

    /// <summary>A call has answered that its change is durable. Checks that the store has held the change.</summary>
    public void Made(OwnerCall call, int number)
    {
        lock (_lock)
        {
            if (call.Made.Find(change => change.Number == number) is not { CommittedAt: >= 0 } change)
                throw new ScheduleViolation($"{call} tells that {number} is durable; the store has not held it");
            Show(call, change.CommittedAt);
        }
    }

    /// <summary>A call has answered that it has changed nothing. Checks that the store has not held any change of the call.</summary>
    public void Denied(OwnerCall call)
    {
        lock (_lock)
        {
            call.IsDenied = true;
            if (call.Applied is { } change)
                throw new ScheduleViolation($"{call} tells that it was not applied; the store has held {change.Number}");
        }
    }

    /// <summary>
    /// A call has answered that another owner has the object. Checks that the store has held several owners of the object, among them one with the epoch that
    /// the answer names.
    /// </summary>
    public void Fenced(OwnerCall call, long? storedEpoch)
    {
        lock (_lock)
        {
            var owners = HistoryOf(call.Id).Under.Keys;
            if (owners.Count < 2 || (storedEpoch is { } epoch && owners.All(owner => owner.Epoch != epoch)))
                throw new ScheduleViolation($"{call} tells of an owner with epoch {storedEpoch}; the store has held {string.Join(", ", owners)}");
        }
    }

    /// <summary>Commits a version, which must consist of changes on top of the stored one.</summary>
    private void Commit(History history, int number)
    {
        var (before, index) = (history.Versions[^1], history.Versions.Count);
        var at = number;
        for (; at != 0 && at != before; at = _changes[at]!.Saw)
            Include(_changes[at]!, index);
        if (at != before)
            throw new ScheduleViolation($"{_changes[number]!.Call.Id}: {number} has replaced {before}, which it has not seen");
        history.Versions.Add(number);
        history.Under[history.Row.Owner] = index;
    }

    private static void Include(OwnerChange change, int index)
    {
        var call = change.Call;
        if (call.Applied is { } other && other != change)
            throw new ScheduleViolation($"{call} is applied twice");
        if (call.IsDenied)
            throw new ScheduleViolation($"{call} is applied after it was answered as not applied");
        call.Applied = change;
        if (change.CommittedAt < 0)
            change.CommittedAt = index;
    }

    private void Show(OwnerCall call, int index)
    {
        var shown = HistoryOf(call.Id).Shown;
        shown[call.Client] = Math.Max(shown.GetValueOrDefault(call.Client), index);
    }

    private int IndexOf(int number) => number == 0 ? 0 : _changes[number]!.CommittedAt;

    private History HistoryOf(string id)
    {
        if (!_objects.TryGetValue(id, out var history))
            _objects[id] = history = new History();
        return history;
    }

    private static string IdOf(string key) => key[(key.IndexOf('/') + 1)..];

    private sealed class History
    {
        public Row Row { get; } = new();

        /// <summary>The numbers of the values that the store has held, in order.</summary>
        public List<int> Versions { get; } = [0];

        /// <summary>For each owner, the index of the last version that the store has held under this owner.</summary>
        public Dictionary<KeyOwner, int> Under { get; } = [];

        /// <summary>For each client, the index of the newest version that answers to this client have shown.</summary>
        public Dictionary<int, int> Shown { get; } = [];

        public void Take(KeyOwner owner)
        {
            Row.Owner = owner;
            Under[owner] = Versions.Count - 1;
        }
    }
}
