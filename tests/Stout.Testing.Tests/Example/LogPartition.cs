using System.Collections.Immutable;
using Stout.Storage;

namespace Stout.Testing.Tests.Example;

/// <summary>The rules of stamps and claims, in front of a log. One write or claim at a time; reads go beside them.</summary>
internal sealed class LogPartition(LogFile log, ImmutableDictionary<PartitionKey, LogEntry> entries, StorageLimits limits) : IStorePartition
{
    private readonly Lock _writing = new();

    /// <summary>All that is committed. It never changes: a batch puts another one in its place, so that no read sees half of it.</summary>
    private volatile ImmutableDictionary<PartitionKey, LogEntry> _entries = entries;

    // A sync of the disk blocks its thread, and the one that calls serves a whole lane.
    public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken) => new(Task.Run(() => Write(batch), cancellationToken));

    public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken) => new(Task.Run(() => Read(batch), cancellationToken));

    #region commit
    private void Write(WriteBatch batch)
    {
        limits.Admit(batch);
        lock (_writing)
        {
            var changes = new Dictionary<PartitionKey, LogEntry>();
            for (var i = 0; i < batch.Count; i++)
            {
                if (Judge(batch, i) is { } change)
                    changes.Add(batch[i].Key, change);
            }

            Commit(changes);
            for (var i = 0; i < batch.Count; i++)
            {
                if (changes.ContainsKey(batch[i].Key))
                    batch.SetOutcome(i, new WriteOutcome(WriteOutcomeKind.Committed));
            }
        }
    }
    #endregion

    #region read
    private void Read(ReadBatch batch)
    {
        for (var i = 0; i < batch.Count; i++)
        {
            var isClaimed = batch[i].Kind != KeyReadKind.Claim || TryClaim(batch[i]);
            var entry = Find(batch[i].Key);
            batch.SetOutcome(i, isClaimed ? OutcomeOf(entry, batch[i]) : ReadOutcome.FencedBy(entry.Header));
        }
    }
    #endregion

    #region list
    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken) =>
        new(KeyPage.OfAll(listing, _entries.Select(static entry => (entry.Key, entry.Value.Exists))));
    #endregion

    #region stamps
    /// <returns>The key's new entry; null if its outcome is settled.</returns>
    private LogEntry? Judge(WriteBatch batch, int index)
    {
        if (batch.OutcomeOf(index).Kind == WriteOutcomeKind.Refused)
            return null;
        var stored = Find(batch[index].Key);
        if (StampRule.Judge(stored.Header, batch[index]) is not { } settled)
            return stored.With(batch[index], batch.PartsOf(index));
        batch.SetOutcome(index, settled);
        return null;
    }
    #endregion

    #region claim
    private bool TryClaim(in KeyRead read)
    {
        lock (_writing)
        {
            var stored = Find(read.Key);
            if (ClaimRule.Judge(stored.Header, read.Claim!, epochFloor: 0) is not { } owner)
                return false;
            if (owner != stored.Header.Owner)
                Commit(new() { [read.Key] = stored with { Header = stored.Header with { Owner = owner } } });
            return true;
        }
    }
    #endregion

    private void Commit(Dictionary<PartitionKey, LogEntry> changes)
    {
        if (changes.Count == 0)
            return;
        log.Append(changes);
        _entries = _entries.SetItems(changes);
    }

    private LogEntry Find(PartitionKey key) => _entries.GetValueOrDefault(key, LogEntry.Absent);

    // Between claim and read another claim may have come: then this one is fenced.
    private static ReadOutcome OutcomeOf(LogEntry entry, in KeyRead read)
    {
        var (version, owner) = entry.Header;
        if (read.Claim is { } claim && owner.Claim != claim.Id)
            return ReadOutcome.FencedBy(entry.Header);
        if (!entry.Exists)
            return ReadOutcome.NotFound(version, owner: owner);
        return ReadOutcome.Found(version, read.ReadsParts ? [.. entry.Parts.Select(part => new StoredPart(part.Key, part.Value))] : [], owner: owner);
    }
}
