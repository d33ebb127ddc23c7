using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>The writes of a batch, as keys of a <see cref="KeyedTransaction"/>.</summary>
internal sealed class BatchWriter(WriteBatch batch, KeyWriter keys) : IKeyedWork
{
    private readonly WriteOutcome[] _outcomes = new WriteOutcome[batch.Count];

    public int Count => batch.Count;

    public void Apply(int index)
    {
        if (!IsSettled(index))
            _outcomes[index] = keys.Apply(batch[index], batch.PartsOf(index));
    }

    public void Refuse(int index, SqliteFailure failure) => batch.SetOutcome(index, WriteOutcome.Of(SqliteErrors.Classify(failure)));

    public void Settle(int first, int end, SqliteFailure? failure)
    {
        var error = failure is null ? null : SqliteErrors.ClassifyCommit(failure);
        for (var i = first; i < end; i++)
        {
            if (IsSettled(i))
                continue;

            // Any other outcome, such as a conflict, was found before the commit and does not depend on it.
            var dependsOnCommit = _outcomes[i].Kind == WriteOutcomeKind.Committed;
            batch.SetOutcome(i, dependsOnCommit && error is not null ? WriteOutcome.Of(error) : _outcomes[i]);
        }
    }

    private bool IsSettled(int index) => batch.OutcomeOf(index).Kind != WriteOutcomeKind.Unknown;
}
