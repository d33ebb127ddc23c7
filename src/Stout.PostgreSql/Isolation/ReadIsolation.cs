using Stout.Storage;

namespace Stout.PostgreSql.Isolation;

/// <summary>Reads a batch so that a key which the server can't read fails alone.</summary>
internal sealed class ReadIsolation(
    ReadBatch batch, SuspectKeys suspects, Func<ReadBatch, IReadOnlyList<int>, CancellationToken, ValueTask> send) : KeyIsolation(suspects)
{
    protected override int Count => batch.Count;

    protected override PartitionKey KeyOf(int index) => batch[index].Key;

    protected override bool IsOpen(int index) => batch.OutcomeOf(index).Kind == ReadOutcomeKind.Unknown;

    protected override ValueTask SendAsync(IReadOnlyList<int> indexes, bool isPatient, CancellationToken cancellationToken) =>
        send(batch, indexes, cancellationToken);

    protected override void Fail(int index, StoreException error) => batch.SetOutcome(index, ReadOutcome.Of(error));
}
