using Stout.Lanes.Core;
using Stout.Storage;

namespace Stout.Tests.Lanes.Schedules;

/// <summary>
/// Between the processes and the store: requests arrive late, out of order, in part, twice or never, also after their sender's death;
/// answers get lost.
/// </summary>
internal sealed class ScheduleNetwork(Schedule schedule)
{
    private readonly Dictionary<Stamp, string> _bytesOf = [];

    /// <summary>Claims that arrive another time, or after their sender's death.</summary>
    public List<(string Key, KeyClaim Claim)> Late { get; } = [];

    public List<ScheduleRequest> UnderWay { get; } = [];

    public void Send(ScheduleProcess process, WriteRequest request, int[] states)
    {
        var writes = new List<ScheduleWrite>();
        for (var i = 0; i < request.Count; i++)
        {
            var write = request.Batch[i];
            var parts = new List<(string Part, bool Deleted, int Value)>();
            foreach (var part in request.Batch.PartsOf(i))
                parts.Add((part.SubKey.Text, part.IsDeleted, part.IsDeleted ? 0 : BitConverter.ToInt32(part.Value.Span)));
            if (schedule.Bug == PlantedBug.RepeatWithOtherBytes && _bytesOf.ContainsKey(write.Next))
                parts = Newer(process, write.Key.Text, parts);
            CheckBytes(write, parts);
            writes.Add(new ScheduleWrite(write, states[i], parts));
        }

        UnderWay.Add(new ScheduleRequest(process, request, null, writes));
    }

    public void Send(ScheduleProcess process, ReadRequest request)
    {
        if (schedule.Bug == PlantedBug.ConfirmWithoutAsking && request.Checks.Count > 0)
        {
            for (var i = 0; i < request.Checks.Count; i++)
                request.Batch.SetOutcome(i, ReadOutcome.Found(request.Checks[i].Handle.Stored, [], owner: request.Checks[i].Handle.Owner));
            process.Post(now => process.Core.ReadAnswered(request, now));
            return;
        }

        UnderWay.Add(new ScheduleRequest(process, null, request, []));
    }

    /// <summary>A late claim reaches the store: it may fence a live owner, which costs availability only.</summary>
    public void ArriveLate(int index)
    {
        schedule.Store.TryClaim(Late[index].Key, Late[index].Claim);
        Late.RemoveAt(index);
    }

    /// <summary>Lets the sender of a read die; each of its claims stays under way with a probability of 1/2.</summary>
    public void SenderDies(ReadRequest read)
    {
        for (var i = 0; i < read.Batch.Count; i++)
        {
            if (read.Batch[i].Claim is { } claim && schedule.Chance(0.5))
                Late.Add((read.Batch[i].Key.Text, claim));
        }
    }

    /// <summary>Delivers a request to the store. The answer comes back only if the sender still lives.</summary>
    /// <param name="request">The request.</param>
    /// <param name="fault">Called for each key: returns the outcome of a key that fails, or null to apply the key.</param>
    /// <param name="answered">Whether the answer comes back.</param>
    /// <param name="arrivesAgain">Whether a copy stays under way.</param>
    public void Arrive(ScheduleRequest request, Func<WriteOutcomeKind?> fault, bool answered, bool arrivesAgain)
    {
        UnderWay.Remove(request);
        if (request.Read is { } read)
        {
            Arrive(request, read, fault, answered);
            if (arrivesAgain)
                SenderDies(read);
            return;
        }

        var copies = new List<ScheduleWrite>();
        for (var i = 0; i < request.Writes.Count; i++)
        {
            var (write, state, parts) = request.Writes[i];
            var outcome = fault() is { } kind
                ? new WriteOutcome(kind)
                : schedule.Store.Apply(write, state, parts);
            // A write of unknown outcome is applied with a probability of 1/2.
            if (outcome.Kind == WriteOutcomeKind.Unknown && schedule.Chance(0.5))
                schedule.Store.Apply(write, state, parts);
            // A store that says "certainly not applied" must not have another copy on its way.
            if (outcome.Kind is WriteOutcomeKind.Unknown or WriteOutcomeKind.Committed or WriteOutcomeKind.Conflict or WriteOutcomeKind.Fenced)
                copies.Add(request.Writes[i]);
            if (answered && request.Write is { IsAbandoned: false } alive)
                alive.Batch.SetOutcome(i, outcome);
        }

        if (arrivesAgain)
            UnderWay.Add(request with { Write = null, Writes = copies });
        if (answered && request.Write is { } original)
            request.Process.Post(now => request.Process.Core.WriteAnswered(original, now));
    }

    /// <summary>The sender learns that its request was lost, or that no answer will come.</summary>
    public void Break(ScheduleRequest request)
    {
        UnderWay.Remove(request);
        if (request.Write is { } write)
            request.Process.Post(now => request.Process.Core.WriteAnswered(write, now));
        else if (request.Read is { } read)
            request.Process.Post(now => request.Process.Core.ReadAnswered(read, now));
    }

    private void Arrive(ScheduleRequest request, ReadRequest read, Func<WriteOutcomeKind?> fault, bool answered)
    {
        for (var i = 0; i < read.Batch.Count; i++)
        {
            var outcome = fault() switch
            {
                null => Read(read.Batch[i]),
                WriteOutcomeKind.Overloaded => ReadOutcome.Of(new StoreException(StoreErrorKind.Overloaded, "overloaded")),
                WriteOutcomeKind.Unreachable => ReadOutcome.Of(new StoreException(StoreErrorKind.Unreachable, "unreachable")),
                WriteOutcomeKind.Busy => ReadOutcome.Of(new StoreException(StoreErrorKind.Busy, "busy")),
                WriteOutcomeKind.LimitExceeded => ReadOutcome.Of(new StoreException(StoreErrorKind.LimitExceeded, "limit exceeded")),
                WriteOutcomeKind.Refused => ReadOutcome.Of(new StoreException(StoreErrorKind.Refused, "refused")),
                _ => ReadOutcome.Of(new IOException("lost")),
            };
            if (outcome.Kind == ReadOutcomeKind.Read && i < read.Fills.Count)
                schedule.NoteRead(read.Fills[i]);
            read.Batch.SetOutcome(i, outcome);
        }

        if (answered)
            request.Process.Post(now => request.Process.Core.ReadAnswered(read, now));
    }

    private ReadOutcome Read(in KeyRead read)
    {
        var key = read.Key.Text;
        if (schedule.Bug == PlantedBug.ClaimAfterRead && read.Claim is { OnlyIf: null } late)
        {
            var before = HeaderOf(key);
            Late.Add((key, late));
            return OutcomeOf(key, before with { Owner = ClaimRule.Judge(before, late, epochFloor: 0)!.Value });
        }

        if (read.Claim is { } claim && !schedule.Store.TryClaim(key, claim))
            return ReadOutcome.FencedBy(HeaderOf(key));
        return OutcomeOf(key, HeaderOf(key));
    }

    private KeyHeader HeaderOf(string key) => schedule.Store.Find(key) is { } row ? new KeyHeader(row.Stamp, row.Owner) : default;

    private ReadOutcome OutcomeOf(string key, in KeyHeader header)
    {
        object? token = header.Version.IsAbsent ? null : header.Version;
        return schedule.Store.Find(key) is { Exists: true }
            ? ReadOutcome.Found(header.Version, [], token, header.Owner)
            : ReadOutcome.NotFound(header.Version, token, header.Owner);
    }

    private void CheckBytes(in KeyWrite write, List<(string Part, bool Deleted, int Value)> parts)
    {
        var bytes = $"{write.Key} {write.Kind} {write.Expected} {string.Join(';', parts)}";
        if (!_bytesOf.TryAdd(write.Next, bytes) && _bytesOf[write.Next] != bytes)
            throw new ScheduleViolation($"{write.Next} was sent with other bytes: {_bytesOf[write.Next]} and {bytes}");
    }

    private static List<(string Part, bool Deleted, int Value)> Newer(
        ScheduleProcess process, string key, List<(string Part, bool Deleted, int Value)> parts)
    {
        var memory = process.Objects.TryGetValue(key, out var target) ? target.Memory : [];
        return parts.Select(p => memory.TryGetValue(p.Part, out var value) ? (p.Part, false, value) : p).ToList();
    }
}

/// <summary>A request under way.</summary>
internal sealed record ScheduleRequest(ScheduleProcess Process, WriteRequest? Write, ReadRequest? Read, List<ScheduleWrite> Writes);

/// <summary>A copy of one key's write as it was sent. The sender may reuse the memory of its batch before a late copy of the request arrives.</summary>
internal sealed record ScheduleWrite(KeyWrite Write, int State, List<(string Part, bool Deleted, int Value)> Parts);
