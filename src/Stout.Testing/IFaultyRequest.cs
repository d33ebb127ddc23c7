using Stout.Storage;

namespace Stout.Testing;

/// <summary>A read or write request, as seen by a faulty store.</summary>
internal interface IFaultyRequest
{
    HeldRequests Kind { get; }

    int Count { get; }

    PartitionKey KeyOf(int index);

    /// <summary>Creates a separate request with some of the keys.</summary>
    /// <param name="places">The indexes of the keys.</param>
    /// <param name="outlives">Whether the new request is sent after this one has ended, so that it needs a copy of the values.</param>
    IFaultyRequest Part(IReadOnlyList<int> places, bool outlives = false);

    ValueTask SendAsync(IStorePartition partition, CancellationToken cancellationToken);

    /// <summary>Copies the outcome of a key of another request of the same kind.</summary>
    void Answer(int index, IFaultyRequest other, int otherIndex);

    /// <summary>Sets the outcome of a key from an exception; null resets the outcome to its default.</summary>
    void Fail(int index, Exception? error);
}

/// <summary>A write request.</summary>
internal sealed class FaultyWrites(WriteBatch batch) : IFaultyRequest
{
    public HeldRequests Kind => HeldRequests.Writes;

    public int Count => batch.Count;

    public PartitionKey KeyOf(int index) => batch[index].Key;

    public IFaultyRequest Part(IReadOnlyList<int> places, bool outlives)
    {
        var part = new WriteBatch();
        foreach (var place in places)
        {
            var parts = batch.PartsOf(place);
            part.Add(batch[place], outlives ? Copy(parts) : parts);
        }

        return new FaultyWrites(part);
    }

    public ValueTask SendAsync(IStorePartition partition, CancellationToken cancellationToken) => partition.WriteAsync(batch, cancellationToken);

    public void Answer(int index, IFaultyRequest other, int otherIndex)
    {
        // If the first delivery was committed, its outcome stays: a second delivery that is fenced or conflicts does not undo the write.
        if (batch.OutcomeOf(index).Kind != WriteOutcomeKind.Committed)
            batch.SetOutcome(index, ((FaultyWrites)other).OutcomeOf(otherIndex));
    }

    public void Fail(int index, Exception? error) => batch.SetOutcome(index, error is null ? default : WriteOutcome.Of(error));

    private WriteOutcome OutcomeOf(int index) => batch.OutcomeOf(index);

    private static PartWrite[] Copy(ReadOnlySpan<PartWrite> parts)
    {
        var copy = parts.ToArray();
        for (var i = 0; i < copy.Length; i++)
            copy[i] = copy[i] with { Value = copy[i].Value.ToArray() };
        return copy;
    }
}

/// <summary>A read request.</summary>
internal sealed class FaultyReads(ReadBatch batch) : IFaultyRequest
{
    public HeldRequests Kind => HeldRequests.Reads;

    public int Count => batch.Count;

    public PartitionKey KeyOf(int index) => batch[index].Key;

    public IFaultyRequest Part(IReadOnlyList<int> places, bool outlives)
    {
        var part = new ReadBatch();
        foreach (var place in places)
            part.Add(batch[place]);
        return new FaultyReads(part);
    }

    public ValueTask SendAsync(IStorePartition partition, CancellationToken cancellationToken) => partition.ReadAsync(batch, cancellationToken);

    public void Answer(int index, IFaultyRequest other, int otherIndex) => batch.SetOutcome(index, ((FaultyReads)other).OutcomeOf(otherIndex));

    public void Fail(int index, Exception? error) => batch.SetOutcome(index, error is null ? default : ReadOutcome.Of(error));

    private ReadOutcome OutcomeOf(int index) => batch.OutcomeOf(index);
}
