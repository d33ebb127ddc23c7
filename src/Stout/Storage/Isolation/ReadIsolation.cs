namespace Stout.Storage;

/// <summary>Reads a batch so that an unreadable key fails alone.</summary>
/// <param name="batch">The batch.</param>
/// <param name="suspects">The keys of the store partition that recently failed alone.</param>
/// <param name="budget">The time limit of halving.</param>
/// <param name="send">Sends some of the reads, as <see cref="KeyIsolation.SendAsync"/> does. Its arguments are the indexes of the reads, whether the store
/// waits for locks, and a token.</param>
public sealed class ReadIsolation(
    ReadBatch batch,
    SuspectKeys suspects,
    TimeSpan budget,
    Func<IReadOnlyList<int>, bool, CancellationToken, ValueTask<StoreException?>> send) : KeyIsolation(suspects, budget)
{
    /// <inheritdoc/>
    protected override int Count => batch.Count;

    /// <inheritdoc/>
    protected override PartitionKey KeyOf(int index) => batch[index].Key;

    /// <inheritdoc/>
    protected override bool IsOpen(int index) => batch.OutcomeOf(index) is { Kind: ReadOutcomeKind.Unknown, Error: null };

    /// <inheritdoc/>
    protected override ValueTask<StoreException?> SendAsync(IReadOnlyList<int> indexes, bool isPatient, CancellationToken cancellationToken) =>
        send(indexes, isPatient, cancellationToken);

    /// <inheritdoc/>
    protected override void Fail(int index, StoreException error) => batch.SetOutcome(index, ReadOutcome.Of(error));
}
