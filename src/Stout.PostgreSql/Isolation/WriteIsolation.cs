using Stout.Storage;

namespace Stout.PostgreSql.Isolation;

/// <summary>Writes a batch so that a key which the server refuses fails alone.</summary>
internal sealed class WriteIsolation(
    WriteBatch batch, SuspectKeys suspects, Func<WriteBatch, IReadOnlyList<int>, bool, CancellationToken, ValueTask> send) : KeyIsolation(suspects)
{
    protected override int Count => batch.Count;

    protected override PartitionKey KeyOf(int index) => batch[index].Key;

    protected override bool IsOpen(int index) => batch.OutcomeOf(index).Kind == WriteOutcomeKind.Unknown;

    protected override ValueTask SendAsync(IReadOnlyList<int> indexes, bool isPatient, CancellationToken cancellationToken) =>
        send(batch, indexes, isPatient, cancellationToken);

    protected override void Fail(int index, StoreException error) => batch.SetOutcome(index, WriteOutcome.Of(error));
}
