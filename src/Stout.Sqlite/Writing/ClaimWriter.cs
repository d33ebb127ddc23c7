using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>The claims of a read batch, as keys of a <see cref="KeyedTransaction"/>. A key that cannot be claimed fails alone.</summary>
internal sealed class ClaimWriter(ReadBatch batch, IReadOnlyList<int> indexes, KeyWriter keys) : IKeyedWork
{
    private readonly ReadOutcome?[] _refused = new ReadOutcome?[indexes.Count];

    public int Count => indexes.Count;

    public void Apply(int index) => _refused[index] = keys.Claim(batch[indexes[index]]);

    public void Refuse(int index, SqliteFailure failure) => Fail(index, SqliteErrors.Classify(failure));

    public void Settle(int first, int end, SqliteFailure? failure)
    {
        for (var i = first; i < end; i++)
        {
            // A refused claim changed nothing, so the commit does not matter to it.
            if (_refused[i] is { } outcome)
                batch.SetOutcome(indexes[i], outcome);
            else if (failure is not null)
                Fail(i, SqliteErrors.ClassifyCommit(failure));
        }
    }

    private void Fail(int index, StoreException error) => batch.SetOutcome(indexes[index], ReadOutcome.Of(error));
}
