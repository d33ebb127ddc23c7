using Stout.Sqlite.Native;

namespace Stout.Sqlite.Writing;

/// <summary>Applies writes to several keys in one transaction, or in several if SQLite refuses one of the keys.</summary>
internal sealed class KeyedTransaction(Connection connection, FileWatch files, Sweeper sweeper, RequestPreference preference, TimeProvider time, Action<string>? onStep)
{
    /// <exception cref="SqliteFailure">The file is unusable from now on; undecided keys are certainly not applied.</exception>
    public void Run(IKeyedWork work)
    {
        for (var next = 0; next < work.Count;)
            next = Run(work, next, work.Count, sweeps: true);
    }

    /// <summary>
    /// Commits the keys from <paramref name="first"/> to <paramref name="end"/>. Most errors roll the whole transaction back, so the keys before a refused
    /// key are applied again and committed in a transaction of their own.
    /// </summary>
    /// <returns>The first undecided key.</returns>
    private int Run(IKeyedWork work, int first, int end, bool sweeps)
    {
        files.Check();
        connection.BeginWriting();
        var (began, changes) = (time.GetTimestamp(), connection.TotalChanges);
        sweeper.Begin();
        var index = first;
        try
        {
            for (; index < end; index++)
            {
                onStep?.Invoke("before a key");
                work.Apply(index);
            }

            if (sweeps)
                sweeper.Sweep();
        }
        catch (Exception error) when (index == end ? error is not SqliteFailure { Poisons: true } : error is SqliteFailure { Poisons: false })
        {
            connection.Rollback();
            sweeper.Reconsider();

            // If all keys were applied, the sweeper has failed. Its garbage can wait, unlike the keys.
            for (var next = first; next < index;)
                next = Run(work, next, index, sweeps: false);
            if (index == end)
            {
                sweeper.Fail(error);
                return end;
            }

            work.Refuse(index, (SqliteFailure)error);
            return index + 1;
        }

        var applied = time.GetTimestamp();
        Commit(work, first, end);
        // A transaction without changes is not synced, so the time of its commit says nothing about the disk.
        if (connection.TotalChanges != changes)
            preference.Add(time.GetElapsedTime(began, applied), time.GetElapsedTime(applied));
        return end;
    }

    private void Commit(IKeyedWork work, int first, int end)
    {
        SqliteFailure? failed = null;
        try
        {
            onStep?.Invoke("before the commit");
            connection.Commit();
            onStep?.Invoke("after the commit");
            files.Check();
        }
        catch (SqliteFailure failure)
        {
            failed = failure;
        }

        work.Settle(first, end, failed);
        if (failed is null)
        {
            sweeper.End();
            return;
        }

        if (failed.Poisons)
            throw failed;
        connection.Rollback();
        sweeper.Reconsider();
    }
}
