using Stout.Storage;
using Stout.Tests.Lanes.Schedules;

namespace Stout.Documents.Tests.Schedules;

/// <summary>The store behind its network: requests arrive when the schedule says so, in part, twice or never, and answers get lost.</summary>
internal sealed class ScheduleNetwork(int partitions, StorageLimits limits, Func<ScheduleWrite, WriteOutcome> apply, Func<string, Row?> find, Func<string, int> carried) : IStorageProxy
{
    private readonly Lock _lock = new();
    private readonly List<ScheduleRequest> _underWay = [];
    private readonly Dictionary<Stamp, int> _states = new() { [Stamp.Absent] = Lineage.Nothing };

    public StorageCapabilities Capabilities => new() { Durable = false, AtomicBatches = false, Lists = true, Claims = Claim is not null };

    public StorageLimits Limits => limits;

    public bool IsDisposed { get; private set; }

    /// <summary>Whether the store acknowledges what it has not applied.</summary>
    public bool Lies { get; init; }

    /// <summary>Claims a key, and returns the owner that the claimant is told; null if the store keeps no owners.</summary>
    public Func<KeyRead, KeyOwner>? Claim { get; init; }

    /// <summary>The store's listing; empty by default.</summary>
    public Func<KeyListing, KeyPage> List { get; init; } = static _ => new KeyPage([], null);

    /// <summary>The requests that have not arrived.</summary>
    public List<ScheduleRequest> UnderWay
    {
        get
        {
            lock (_lock)
                return [.. _underWay];
        }
    }

    /// <summary>The state that a stamp stands for.</summary>
    public int StateOf(Stamp stamp)
    {
        lock (_lock)
            return _states[stamp];
    }

    public ValueTask<IReadOnlyList<IStorePartition>> OpenAsync(CancellationToken cancellationToken = default) =>
        new([.. Enumerable.Range(0, partitions).Select(_ => new Partition(this))]);

    public ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return ValueTask.CompletedTask;
    }

    /// <summary>Delivers a request to the store.</summary>
    /// <param name="request">The request.</param>
    /// <param name="fault">Called for each key: returns the outcome of a key that fails, or null to apply or read the key.</param>
    /// <param name="answered">Whether the answer comes back now. A request without an answer ends when the lane gives it up.</param>
    /// <param name="arrivesAgain">Whether a copy of the writes and claims stays under way.</param>
    public void Arrive(ScheduleRequest request, Func<WriteOutcomeKind?> fault, bool answered, bool arrivesAgain)
    {
        lock (_lock)
            _underWay.Remove(request);
        var copies = new List<ScheduleWrite>();
        for (var i = 0; i < request.Writes.Count; i++)
        {
            var outcome = fault() is { } kind ? new WriteOutcome(kind) : Apply(request.Writes[i]);
            // A write of unknown outcome is applied, unless the next call of `fault` returns a fault.
            if (outcome.Kind == WriteOutcomeKind.Unknown && fault() is null)
                Apply(request.Writes[i]);
            // A store that has said "certainly not applied" must not have another copy on its way.
            if (outcome.Kind is not (WriteOutcomeKind.Overloaded or WriteOutcomeKind.Unreachable or WriteOutcomeKind.Refused or WriteOutcomeKind.Busy))
                copies.Add(request.Writes[i]);
            request.WriteBatch?.SetOutcome(i, outcome);
        }

        for (var i = 0; i < request.ReadBatch?.Count; i++)
            request.ReadBatch.SetOutcome(i, fault() is { } kind ? ReadFault(kind) : Read(request.ReadBatch[i]));
        foreach (var late in request.LateClaims)
            Claim!(late);
        if (arrivesAgain && (copies.Count > 0 || request.Claims.Count > 0))
        {
            lock (_lock)
                _underWay.Add(new ScheduleRequest(copies) { LateClaims = request.Claims });
        }

        if (answered)
            request.Answer.TrySetResult();
    }

    /// <summary>Writes as another client.</summary>
    public void Write(string key, int state, List<(string Part, bool Deleted, int Value)> parts)
    {
        var (before, after) = (find(key)?.Stamp ?? Stamp.Absent, new Stamp(0, Guid.NewGuid(), 1));
        Apply(new ScheduleWrite(new KeyWrite(new PartitionKey(key), KeyWriteKind.Merge, before, before, after), state, parts));
    }

    private WriteOutcome Apply(ScheduleWrite write)
    {
        var key = write.Write.Key.Text;
        if (Lies && _states.Count % 5 == 0)
            return new WriteOutcome(WriteOutcomeKind.Committed);
        var outcome = apply(write);
        if (outcome.Kind == WriteOutcomeKind.Committed)
        {
            lock (_lock)
                _states[write.Write.Next] = write.State;
        }

        return outcome;
    }

    private ReadOutcome Read(in KeyRead read)
    {
        KeyOwner? claimed = read.Claim is null ? null : Claim!(read);
        if (find(read.Key.Text) is not { } row)
            return ReadOutcome.NotFound(Stamp.Absent);
        // The token of a stamp is the stamp itself.
        object? token = row.Stamp.IsAbsent ? null : row.Stamp;
        return row.Exists
            ? ReadOutcome.Found(row.Stamp, read.ReadsParts ? PartsOf(row) : [], token, claimed ?? row.Owner)
            : ReadOutcome.NotFound(row.Stamp, token, claimed ?? row.Owner);
    }

    private static List<StoredPart> PartsOf(Row row) => [.. row.Parts.Select(part => new StoredPart(new SubKey(part.Key), ScheduleValue.Bytes(part.Value)))];

    private static ReadOutcome ReadFault(WriteOutcomeKind kind) => ReadOutcome.Of(kind switch
    {
        WriteOutcomeKind.Overloaded => new StoreException(StoreErrorKind.Overloaded, "overloaded"),
        WriteOutcomeKind.Unreachable => new StoreException(StoreErrorKind.Unreachable, "unreachable"),
        WriteOutcomeKind.Refused => new StoreException(StoreErrorKind.Refused, "refused"),
        WriteOutcomeKind.Busy => new StoreException(StoreErrorKind.Busy, "busy"),
        _ => new IOException("lost"),
    });

    private Task Send(ScheduleRequest request)
    {
        lock (_lock)
            _underWay.Add(request);
        return request.Answer.Task;
    }

    private sealed class Partition(ScheduleNetwork network) : IStorePartition
    {
        public async ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
        {
            var writes = new List<ScheduleWrite>();
            for (var i = 0; i < batch.Count; i++)
            {
                var parts = new List<(string Part, bool Deleted, int Value)>();
                foreach (var part in batch.PartsOf(i))
                    parts.Add((part.SubKey.Text, part.IsDeleted, part.IsDeleted ? 0 : ScheduleValue.Number(part.Value)));
                writes.Add(new ScheduleWrite(batch[i], network.StateSent(batch[i]), parts));
            }

            await network.Send(new ScheduleRequest(writes) { WriteBatch = batch });
        }

        public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) => new(network.List(listing));

        public async ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken) =>
            await network.Send(new ScheduleRequest([]) { ReadBatch = batch });
    }

    private readonly Dictionary<Stamp, int> _sent = [];

    /// <summary>The one state that a stamp names: that of the last change in the first request with the stamp.</summary>
    private int StateSent(in KeyWrite write)
    {
        lock (_lock)
        {
            if (_sent.TryGetValue(write.Next, out var known))
                return known;
        }

        // Called outside the lock, to avoid a deadlock: `ScheduleMemory` has a lock of its own, and calls `StateOf` inside that lock. No other thread adds
        // this stamp meanwhile, since one lane sends all writes of a key.
        var state = carried(write.Key.Text);
        lock (_lock)
            return _sent[write.Next] = state;
    }
}

/// <summary>A request under way; a copy that comes late has no batch any more.</summary>
internal sealed class ScheduleRequest(List<ScheduleWrite> writes)
{
    public List<ScheduleWrite> Writes => writes;

    public WriteBatch? WriteBatch { get; init; }

    public ReadBatch? ReadBatch { get; init; }

    /// <summary>The claims of a copy that comes late.</summary>
    public List<KeyRead> LateClaims { get; init; } = [];

    /// <summary>The claims of the original request.</summary>
    public List<KeyRead> Claims => ReadBatch is null ? [] : [.. Enumerable.Range(0, ReadBatch.Count).Select(i => ReadBatch[i]).Where(read => read.Claim is not null)];

    /// <summary>Whether a copy that comes late may change the store.</summary>
    public bool ChangesStore => WriteBatch is not null || Claims.Count > 0;

    public TaskCompletionSource Answer { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}

/// <summary>A copy of one write as it was sent. The sender may reuse the memory of its batch before a late copy of the request arrives.</summary>
internal sealed record ScheduleWrite(KeyWrite Write, int State, List<(string Part, bool Deleted, int Value)> Parts);
