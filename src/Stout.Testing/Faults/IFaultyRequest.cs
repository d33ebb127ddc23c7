using Stout.Storage;

namespace Stout.Testing;

/// <summary>What a faulty store needs to know of a request, be it of writes or of reads.</summary>
internal interface IFaultyRequest
{
    HeldRequests Kind { get; }

    int Count { get; }

    PartitionKey KeyOf(int index);

    /// <summary>A request of its own with some of the keys.</summary>
    /// <param name="places">Which keys.</param>
    /// <param name="outlives">Whether it is sent after this request has ended, when the memory belongs to the caller again.</param>
    IFaultyRequest Part(IReadOnlyList<int> places, bool outlives = false);

    ValueTask SendAsync(IStorePartition partition, CancellationToken cancellationToken);

    /// <summary>Takes over the outcome of a key of another request of the same kind.</summary>
    void Answer(int index, IFaultyRequest other, int otherIndex);

    /// <summary>Gives a key the outcome that an error stands for; null: none.</summary>
    void Fail(int index, Exception? error);
}

/// <summary>A request of writes.</summary>
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
        // A repetition that is fenced or overtaken doesn't undo what was applied: "not applied" would not be true.
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

/// <summary>A request of reads.</summary>
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
