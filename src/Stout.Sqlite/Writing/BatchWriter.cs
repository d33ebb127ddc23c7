using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>Commits a batch in one transaction; in several if SQLite does not take one of its keys.</summary>
internal sealed class BatchWriter(Connection connection, KeyWriter keys, Action<string>? onStep)
{
    private readonly List<WriteOutcomeKind> _kinds = [];

    /// <exception cref="SqliteFailure">Nothing is known to have been applied of what has no outcome yet.</exception>
    public void Write(WriteBatch batch)
    {
        for (var next = 0; next < batch.Count;)
            next = Write(batch, next, batch.Count);
    }

    /// <summary>
    /// Commits the keys from <paramref name="first"/> to <paramref name="end"/>. Most errors roll the whole transaction back, so if
    /// a key meets one, those before it are committed by themselves.
    /// </summary>
    /// <returns>The first key that is not settled.</returns>
    private int Write(WriteBatch batch, int first, int end)
    {
        connection.BeginWriting();
        var index = first;
        try
        {
            _kinds.Clear();
            for (; index < end; index++)
            {
                onStep?.Invoke("before a key");
                _kinds.Add(IsSettled(batch, index) ? default : keys.Apply(batch[index], batch.PartsOf(index)));
            }
        }
        catch (SqliteFailure failure) when (!failure.Poisons)
        {
            connection.Rollback();
            for (var next = first; next < index;)
                next = Write(batch, next, index);
            batch.SetOutcome(index, WriteOutcome.Of(failure.AsNotApplied()));
            return index + 1;
        }

        Commit(batch, first);
        return end;
    }

    private void Commit(WriteBatch batch, int first)
    {
        StoreException? error = null;
        SqliteFailure? poison = null;
        try
        {
            onStep?.Invoke("before the commit");
            connection.Commit();
            onStep?.Invoke("after the commit");
        }
        catch (SqliteFailure failure)
        {
            error = failure.AsCommitFailure();
            poison = failure.Poisons ? failure : null;
        }

        for (var i = 0; i < _kinds.Count; i++)
        {
            if (IsSettled(batch, first + i))
                continue;
            var hangsOnCommit = _kinds[i] == WriteOutcomeKind.Committed;
            batch.SetOutcome(first + i, hangsOnCommit && error is not null ? WriteOutcome.Of(error) : new WriteOutcome(_kinds[i]));
        }

        if (poison is not null)
            throw poison;
        if (error is not null)
            connection.Rollback();
    }

    private static bool IsSettled(WriteBatch batch, int index) => batch.OutcomeOf(index).Kind != WriteOutcomeKind.Unknown;
}
