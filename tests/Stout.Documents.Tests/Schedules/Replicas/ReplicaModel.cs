using Stout.Storage;
using Stout.Tests.Lanes.Schedules;

namespace Stout.Documents.Tests.Schedules.Replicas;

/// <summary>
/// The naive model of several replicas on one store: the rows, every version that each row has had, and every run of a function. It checks each commit
/// and each answer.
/// </summary>
/// <param name="walls">Each replica's clock.</param>
/// <param name="skew">The least time that the sweep leaves between expiry and deletion.</param>
/// <param name="bug">The store's planted bug.</param>
internal sealed class ReplicaModel(IReadOnlyList<Func<DateTimeOffset>> walls, TimeSpan skew, ReplicaBug bug)
{
    private readonly Lock _lock = new();
    private readonly List<ReplicaRun?> _runs = [null];
    private readonly Dictionary<string, Row> _rows = [];
    private readonly Dictionary<string, List<ReplicaVersion>> _versions = [];

    /// <summary>How many versions a sweep has deleted, and how many were replaced because they had expired.</summary>
    public (int Swept, int Replaced) Ends { get; private set; }

    public DateTimeOffset ExpiryOf(string text)
    {
        lock (_lock)
            return _runs[ScheduleValue.Number(text)]!.ExpiresAt;
    }

    public void Begin(ReplicaCall call)
    {
        lock (_lock)
        {
            call.Begun = VersionsOf(call.Id)[^1];
            call.Wall = (walls[call.Replica](), walls[call.Replica]());
        }
    }

    /// <summary>Records the times that the replicas' clocks show. Called after the clocks have moved.</summary>
    public void Move(IEnumerable<ReplicaCall> underWay)
    {
        lock (_lock)
        {
            foreach (var call in underWay)
            {
                var now = walls[call.Replica]();
                call.Wall = (now < call.Wall.Least ? now : call.Wall.Least, now > call.Wall.Greatest ? now : call.Wall.Greatest);
            }

            foreach (var run in _runs.OfType<ReplicaRun>().Where(run => run.CommittedAt < 0))
                run.Latest = Later(run.Latest, walls[run.Call.Replica]());
            foreach (var version in _versions.Values.Select(versions => versions[^1]))
            {
                for (var i = 0; i < walls.Count; i++)
                    version.Latest[i] = Later(version.Latest[i], walls[i]());
            }
        }
    }

    /// <summary>Records a run of a function, which must not see an object that has expired by its replica's clock.</summary>
    public string Run(ReplicaCall call, string? text, DateTimeOffset expiresAt)
    {
        lock (_lock)
        {
            var saw = text is null ? 0 : ScheduleValue.Number(text);
            var now = walls[call.Replica]();
            if (saw != 0 && _runs[saw]!.ExpiresAt <= now)
                throw new ScheduleViolation($"{call} sees {saw}, which has expired");
            var run = new ReplicaRun(_runs.Count, call, saw, now, expiresAt);
            _runs.Add(run);
            call.Runs.Add(run);
            return ScheduleValue.Text(run.Number);
        }
    }

    public Row? Find(string key)
    {
        lock (_lock)
        {
            if (!_rows.TryGetValue(key, out var row) || bug != ReplicaBug.RetryUsesStaleObject || VersionsOf(IdOf(key)) is not [.., var earlier, _] || earlier.Number == 0)
                return row;
            return new Row { Stamp = row.Stamp, Exists = true, Parts = { [string.Empty] = earlier.Number } };
        }
    }

    public KeyPage List(KeyListing listing)
    {
        lock (_lock)
            return KeyPage.OfAll(listing, _rows.Select(row => (new PartitionKey(row.Key), row.Value.Exists)));
    }

    /// <summary>Applies a replica's write to the store if the row has the stamp that the write expects; otherwise the write conflicts.</summary>
    public WriteOutcome Apply(int replica, ScheduleWrite write)
    {
        lock (_lock)
        {
            var key = write.Write.Key.Text;
            if (!_rows.TryGetValue(key, out var row))
                _rows[key] = row = new Row();
            if (row.Stamp == write.Write.Next)
                return new WriteOutcome(WriteOutcomeKind.Committed, Token: write.Write.Next);
            var isDeletion = write.Write.Kind == KeyWriteKind.Delete;
            if (row.Stamp != write.Write.Expected && !(isDeletion && row.Exists && bug == ReplicaBug.SweepIgnoresStamp))
                return new WriteOutcome(WriteOutcomeKind.Conflict);
            var number = isDeletion ? 0 : write.Parts.Single().Value;
            Commit(replica, IdOf(key), number);
            (row.Stamp, row.Exists) = (write.Write.Next, !isDeletion);
            row.Parts.Clear();
            if (!isDeletion)
                row.Parts[string.Empty] = number;
            return new WriteOutcome(WriteOutcomeKind.Committed, Token: write.Write.Next);
        }
    }

    /// <summary>Whether the store holds no object that the sweeps should have deleted by <paramref name="now"/>, the true time.</summary>
    public bool IsSwept(DateTimeOffset now)
    {
        lock (_lock)
            return _versions.Values.All(versions => versions[^1] is { Number: 0 } || versions[^1].ExpiresAt > now - (2 * skew));
    }

    /// <summary>Checks that the value in a call's answer is durable, has not expired, and was not replaced before the call began.</summary>
    public void Saw(ReplicaCall call, int number)
    {
        lock (_lock)
        {
            if (number == 0)
            {
                SawNothing(call);
                return;
            }

            var run = _runs[number]!;
            if (run.CommittedAt < 0 && !run.MayBeCommitted)
                throw new ScheduleViolation($"{call} tells of {number} before it is durable");
            if (run.ExpiresAt <= call.Wall.Least)
                throw new ScheduleViolation($"{call} tells of {number}, which has expired");
            if (number != call.Begun.Number && run.CommittedAt >= 0 && run.CommittedAt <= call.Begun.Index)
                throw new ScheduleViolation($"{call} tells of {number}; when it began the store held {call.Begun.Number}");
        }
    }

    /// <summary>A call has answered that its change is durable. Checks that the store has held the change.</summary>
    public void Made(ReplicaCall call, int number)
    {
        lock (_lock)
        {
            if (call.Runs.FirstOrDefault(run => run.Number == number) is not { } run || (run.CommittedAt < 0 && !run.MayBeCommitted))
                throw new ScheduleViolation($"{call} tells that {number} is durable; the store has not held it");
        }
    }

    /// <summary>A call has answered that it has changed nothing. Checks that the store has not held any change of the call.</summary>
    public void Denied(ReplicaCall call)
    {
        lock (_lock)
        {
            call.IsDenied = true;
            if (call.Applied is { } run)
                throw new ScheduleViolation($"{call} tells that it was not applied; the store has held {run.Number}");
        }
    }

    private void SawNothing(ReplicaCall call)
    {
        var versions = VersionsOf(call.Id);
        var mayBe = versions.Skip(call.Begun.Index).Any(version => version.Number == 0 || version.ExpiresAt <= call.Wall.Greatest)
            || _runs.Exists(run => run?.Call.Id == call.Id && (run.CommittedAt > call.Begun.Index || run.MayBeCommitted) && run.ExpiresAt <= call.Wall.Greatest);
        if (!mayBe)
            throw new ScheduleViolation($"{call} tells of no object; the store has held {string.Join(", ", versions.Skip(call.Begun.Index).Select(version => version.Number))} since it began");
    }

    /// <summary>
    /// Replaces the stored version, and checks the replacement. The function that made the new value must have seen the stored version, or no object if that
    /// version had expired by the replica's clock. A sweep may delete a version only when it has been expired for at least the skew.
    /// </summary>
    private void Commit(int replica, string id, int number)
    {
        var versions = VersionsOf(id);
        var (before, index) = (versions[^1], versions.Count);
        // Runs whose values expired in the replica's memory before the values were durable. The commit may include these runs, too.
        var lost = _runs.FindAll(run => run is { CommittedAt: < 0, Call: { IsDenied: false, Throws: false } }
            && run.Call.Id == id && run.Call.Replica == replica && run == run.Call.Runs[^1] && run.ExpiresAt <= run.Latest);
        foreach (var expired in lost)
        {
            for (var run = expired; run is { CommittedAt: < 0 }; run = _runs[run.Saw])
                run.MayBeCommitted = true;
        }

        if (number == 0)
        {
            Ends = (Ends.Swept + 1, Ends.Replaced);
            if (before.ExpiresAt > before.Latest[replica] - skew && !lost.Exists(run => run!.ExpiresAt <= run.Latest - skew))
                throw new ScheduleViolation($"{id}: replica {replica} has swept {before.Number}, which expires at {before.ExpiresAt:T}, at {before.Latest[replica]:T} at the latest");
        }
        else
        {
            var (at, first) = (number, _runs[number]!);
            for (; at != 0 && at != before.Number; at = first.Saw)
                Include(first = _runs[at]!, index);
            if (at != before.Number)
                Ends = (Ends.Swept, Ends.Replaced + 1);
            // The first run of the commit saw no object. So the stored version must have expired when that run began, or a value made on top of that version.
            if (at != before.Number && before.ExpiresAt > first.RanAt && !lost.Exists(run => run!.ExpiresAt <= first.RanAt))
                throw new ScheduleViolation($"{id}: {number} has replaced {before.Number}, which it has not seen and which had not expired");
        }

        var version = new ReplicaVersion(index, number, _runs[number]?.ExpiresAt ?? DateTimeOffset.MaxValue, [.. walls.Select(wall => wall())]);
        if (_runs[number] is { } made)
            version.Latest[made.Call.Replica] = Later(version.Latest[made.Call.Replica], made.Latest);
        versions.Add(version);
    }

    private static DateTimeOffset Later(DateTimeOffset one, DateTimeOffset other) => one > other ? one : other;

    private static void Include(ReplicaRun run, int index)
    {
        var call = run.Call;
        if (call.Applied is { } other && other != run)
            throw new ScheduleViolation($"{call} is applied twice");
        if (call.IsDenied)
            throw new ScheduleViolation($"{call} is applied after it was answered as not applied");
        call.Applied = run;
        if (run.CommittedAt < 0)
            run.CommittedAt = index;
    }

    private List<ReplicaVersion> VersionsOf(string id)
    {
        if (!_versions.TryGetValue(id, out var versions))
            _versions[id] = versions = [new ReplicaVersion(0, 0, DateTimeOffset.MaxValue, [.. walls.Select(wall => wall())])];
        return versions;
    }

    private static string IdOf(string key) => key[(key.IndexOf('/') + 1)..];
}
