using Stout.Storage;

namespace Stout.Tests.Lanes.Schedules;

/// <summary>
/// The naive store. It applies a write if the row has the owner and the stamp that the write names, and then checks the row's invariants. A write comes with
/// the number of the state that it stores. So the store knows which parts the row must have afterwards.
/// </summary>
internal sealed class ScheduleStore(Lineage lineage, bool ignoresStamps, bool ignoresOwners = false)
{
    private readonly Dictionary<string, Row> _rows = [];

    public int StateOf(string key) => _rows.TryGetValue(key, out var row) ? row.State : Lineage.Nothing;

    public Row? Find(string key) => _rows.GetValueOrDefault(key);

    /// <summary>The states that were acknowledged until now: a confirmed read that begins now must have seen them.</summary>
    public IReadOnlyList<int> AcknowledgedOf(string key) => Find(key)?.Acknowledged.ToList() ?? [];

    /// <summary>Claims a key.</summary>
    /// <returns>Whether it was claimed.</returns>
    public bool TryClaim(string key, KeyClaim claim)
    {
        var row = Row(key);
        if (ClaimRule.Judge(new KeyHeader(row.Stamp, row.Owner), claim, epochFloor: 0) is not { } owner)
            return false;
        row.Owner = owner;
        return true;
    }

    /// <summary>From now on the key's state must contain this one: a message that depends on it was released.</summary>
    public void Acknowledge(string key, int state, string who)
    {
        var stored = StateOf(key);
        if (!lineage.Contains(stored, state))
            throw new ScheduleViolation($"{who} on {key} was released as safe, having seen state {state}; the store holds {stored}");
        Row(key).Acknowledged.Add(state);
    }

    /// <summary>From now on the key's state must not contain this one: it was reported as not applied.</summary>
    public void Deny(string key, int state, string who)
    {
        if (lineage.Contains(StateOf(key), state))
            throw new ScheduleViolation($"{who} on {key} failed as not applied, having made state {state}; the store holds {StateOf(key)}");
        Row(key).Denied.Add(state);
    }

    public WriteOutcome Apply(in KeyWrite write, int state, IReadOnlyList<(string Part, bool Deleted, int Value)> parts)
    {
        var row = Row(write.Key.Text);
        if (row.Stamp == write.Next)
            return new WriteOutcome(WriteOutcomeKind.Committed, Token: write.Next);
        if (!ignoresStamps)
        {
            if (row.Owner != write.Owner && !ignoresOwners)
                return WriteOutcome.FencedBy(row.Owner);
            if (row.Stamp != write.Expected)
                return new WriteOutcome(WriteOutcomeKind.Conflict);

            // The token of a version is the version itself.
            if ((write.ExpectedToken as Stamp? ?? Stamp.Absent) != write.Expected)
                throw new ScheduleViolation($"{write.Key}: the write expects {write.Expected} with the token {write.ExpectedToken}");
        }

        row.Stamp = write.Next;
        row.State = state;
        if (write.Kind != KeyWriteKind.Merge)
            row.Parts.Clear();
        row.Exists = write.Kind != KeyWriteKind.Delete;
        foreach (var (part, deleted, value) in parts)
        {
            if (deleted)
                row.Parts.Remove(part);
            else
                row.Parts[part] = value;
        }

        Check(write.Key.Text, row);
        return new WriteOutcome(WriteOutcomeKind.Committed, Token: write.Next);
    }

    public void CheckAll()
    {
        foreach (var (key, row) in _rows)
            Check(key, row);
    }

    private void Check(string key, Row row)
    {
        var should = lineage[row.State];
        if (row.Exists != should.Exists || row.Parts.Count != should.Parts.Count || row.Parts.Except(should.Parts).Any())
            throw new ScheduleViolation($"{key}: the store holds [{Text(row.Parts)}], state {row.State} is [{Text(should.Parts)}]: torn");
        foreach (var acknowledged in row.Acknowledged)
        {
            if (!lineage.Contains(row.State, acknowledged))
                throw new ScheduleViolation($"{key}: state {row.State} has lost the acknowledged state {acknowledged}");
        }

        foreach (var denied in row.Denied)
        {
            if (lineage.Contains(row.State, denied))
                throw new ScheduleViolation($"{key}: state {row.State} contains state {denied}, which was reported as not applied");
        }
    }

    private static string Text(Dictionary<string, int> parts) =>
        string.Join(", ", parts.OrderBy(p => p.Key, StringComparer.Ordinal).Select(p => $"'{p.Key}'={p.Value}"));

    private Row Row(string key)
    {
        if (!_rows.TryGetValue(key, out var row))
            _rows[key] = row = new Row();
        return row;
    }
}

/// <summary>The naive store's state of one key.</summary>
internal sealed class Row
{
    public Stamp Stamp { get; set; }

    public KeyOwner Owner { get; set; }

    public bool Exists { get; set; }

    public int State { get; set; }

    public Dictionary<string, int> Parts { get; } = [];

    public HashSet<int> Acknowledged { get; } = [];

    public HashSet<int> Denied { get; } = [];
}

/// <summary>A guarantee was broken.</summary>
internal sealed class ScheduleViolation(string what) : Exception(what);
