namespace Stout.Storage;

/// <summary>One partition of <see cref="InMemoryStore"/>: a dictionary, and the stamp rule.</summary>
internal sealed class InMemoryPartition(StorageLimits limits) : IStorePartition
{
    private readonly Lock _lock = new();
    private readonly Dictionary<PartitionKey, Row> _rows = [];

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

    public ValueTask<KeyPage> ListAsync(KeyListing listing, CancellationToken cancellationToken)
    {
        lock (_lock)
            return new(KeyPage.OfAll(listing, _rows.Select(static row => (row.Key, row.Value.Exists))));
    }

    private WriteOutcome Write(in KeyWrite write, ReadOnlySpan<PartWrite> parts)
    {
        var row = _rows.GetValueOrDefault(write.Key);
        var stored = row?.Stamp ?? Stamp.Absent;
        if (StampRule.Judge(stored, write) is { } settled)
            return new WriteOutcome(settled);
        if (TooLarge(parts) is { } refused)
            return new WriteOutcome(WriteOutcomeKind.Refused, Error: refused);

        row ??= _rows[write.Key] = new Row();
        row.Stamp = write.Next;
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
        if (!_rows.TryGetValue(read.Key, out var row))
            return ReadOutcome.NotFound(Stamp.Absent);
        if (row.Stamp.Epoch > read.Claim.Epoch)
            return ReadOutcome.Fenced;
        if (row.Stamp.Epoch < read.Claim.Epoch)
            row.Stamp = read.Claim;
        if (!row.Exists)
            return ReadOutcome.NotFound(row.Stamp);
        var parts = new StoredPart[row.Parts.Count];
        var next = 0;
        foreach (var (subKey, value) in row.Parts)
            parts[next++] = new StoredPart(subKey, value.ToArray());
        return ReadOutcome.Found(row.Stamp, parts);
    }

    private StoreException? TooLarge(ReadOnlySpan<PartWrite> parts)
    {
        long bytes = 0;
        foreach (ref readonly var part in parts)
        {
            bytes += part.Value.Length;
            if (part.Value.Length > limits.MaxValueBytes)
                return new StoreException(StoreErrorKind.Refused, $"A value takes {part.Value.Length} bytes; {limits.MaxValueBytes} are allowed.");
        }

        return bytes <= limits.MaxChangeSetBytes && parts.Length <= limits.MaxChangeSetParts
            ? null
            : new StoreException(StoreErrorKind.Refused, $"A change set takes {parts.Length} parts and {bytes} bytes; {limits.MaxChangeSetParts} and {limits.MaxChangeSetBytes} are allowed.");
    }

    private sealed class Row
    {
        public Stamp Stamp { get; set; }

        public bool Exists { get; set; }

        public Dictionary<SubKey, byte[]> Parts { get; } = [];
    }
}
