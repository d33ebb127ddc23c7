namespace Stout.Storage;

/// <summary>One partition of <see cref="InMemoryStore"/>: a dictionary, and the rules of stamps and claims.</summary>
internal sealed class InMemoryPartition(StorageLimits limits) : IStorePartition
{
    private readonly Lock _lock = new();
    private readonly Dictionary<PartitionKey, Row> _rows = [];
    private long _epochFloor;

    public ValueTask WriteAsync(WriteBatch batch, CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            for (var i = 0; i < batch.Count; i++)
                batch.SetOutcome(i, Write(batch[i], batch.PartsOf(i)));
        }

        return ValueTask.CompletedTask;
    }

    public ValueTask ReadAsync(ReadBatch batch, CancellationToken cancellationToken)
    {
        lock (_lock)
        {
            for (var i = 0; i < batch.Count; i++)
                batch.SetOutcome(i, Read(batch[i]));
        }

        return ValueTask.CompletedTask;
    }

    public ValueTask RaiseEpochFloorAsync(long epoch, CancellationToken cancellationToken)
    {
        lock (_lock)
            _epochFloor = Math.Max(_epochFloor, epoch);
        return ValueTask.CompletedTask;
    }

    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken)
    {
        lock (_lock)
            return new(KeyPage.OfAll(listing, _rows.Select(static row => (row.Key, row.Value.Exists))));
    }

    private WriteOutcome Write(in KeyWrite write, ReadOnlySpan<PartWrite> parts)
    {
        var row = _rows.GetValueOrDefault(write.Key);
        var stored = row?.Header ?? default;
        if (StampRule.Judge(stored, write) is { } settled)
            return settled;
        if (LimitChecks.Measure(limits, write.Key, parts).Error is { } tooLarge)
            return LimitChecks.Refusal(tooLarge);

        row ??= _rows[write.Key] = new Row();
        row.Header = stored with { Version = write.Next };
        if (write.Kind != KeyWriteKind.Merge)
            row.Parts.Clear();
        row.Exists = write.Kind != KeyWriteKind.Delete;
        foreach (ref readonly var part in parts)
        {
            if (part.IsDeleted)
                row.Parts.Remove(part.SubKey);
            else if (row.Parts.TryGetValue(part.SubKey, out var old) && old.Length == part.Value.Length)
                part.Value.CopyTo(old);
            else
                row.Parts[part.SubKey] = part.Value.ToArray();
        }

        return new WriteOutcome(WriteOutcomeKind.Committed);
    }

    private ReadOutcome Read(in KeyRead read)
    {
        var row = _rows.GetValueOrDefault(read.Key);
        if (read.Kind == KeyReadKind.Claim && !TryClaim(read, ref row))
            return ReadOutcome.FencedBy(row?.Header ?? default);
        if (row is null)
            return ReadOutcome.NotFound(Stamp.Absent);
        var (version, owner) = row.Header;
        if (!row.Exists)
            return ReadOutcome.NotFound(version, owner: owner);
        if (!read.ReadsParts)
            return ReadOutcome.Found(version, [], owner: owner);
        var parts = new StoredPart[row.Parts.Count];
        var next = 0;
        foreach (var (subKey, value) in row.Parts)
            parts[next++] = new StoredPart(subKey, value.ToArray());
        return ReadOutcome.Found(version, parts, owner: owner);
    }

    // Headers are never removed, so only a client's option raises the floor.
    private bool TryClaim(in KeyRead read, ref Row? row)
    {
        var stored = row?.Header ?? default;
        if (ClaimRule.Judge(stored, read.Claim!, _epochFloor) is not { } owner)
            return false;
        if (owner != stored.Owner)
        {
            row ??= _rows[read.Key] = new Row();
            row.Header = stored with { Owner = owner };
        }

        return true;
    }

    private sealed class Row
    {
        public KeyHeader Header { get; set; }

        public bool Exists { get; set; }

        public Dictionary<SubKey, byte[]> Parts { get; } = [];
    }
}
