using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>The claims of a read batch, as keys of a <see cref="KeyedTransaction"/>. A key that cannot be claimed fails alone.</summary>
internal sealed class ClaimWriter(ReadBatch batch, IReadOnlyList<int> indexes, KeyWriter keys) : IKeyedWork
{
    public int Count => indexes.Count;

    public void Apply(int index) => keys.Claim(batch[indexes[index]]);

    public void Refuse(int index, SqliteFailure failure) => Fail(index, SqliteErrors.Classify(failure));

    public void Settle(int first, int end, SqliteFailure? failure)
    {
        if (failure is null)
            return;
        for (var i = first; i < end; i++)
            Fail(i, SqliteErrors.ClassifyCommit(failure));
    }

    private void Fail(int index, StoreException error) => batch.SetOutcome(indexes[index], ReadOutcome.Of(error));
}
