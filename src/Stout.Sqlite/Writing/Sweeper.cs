using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>
/// Removes rows that no reader can reach any more: the rows of dead generations first, and deleted headers last, when no request
/// can live that still relies on them.
/// </summary>
/// <remarks>
/// <para>Every transaction that writes also sweeps, within its <see cref="SweepAllowance"/>; between batches the sweeper has
/// transactions of its own. The rows of a replaced object usually go in the transaction that replaces it.</para>
/// <para>It scans nothing. A write whose dead rows exceed the allowance names its key in the garbage table, and an index holds the
/// deleted headers. Every write and every claim of a deleted key sets the time of its header anew, so an old time means an
/// unchanged stamp.</para>
/// </remarks>
internal sealed class Sweeper
{
    private readonly Connection _connection;
    private readonly RetentionClock _clock;
    private readonly long _retention;
    private readonly SweepStatements _sql;
    private readonly SweepAllowance _allowance;
    private readonly List<long> _doomed = [];
    private bool _mayHaveGarbage = true;
    private long? _nextHeader = 0;

    /// <param name="connection">The writer's connection.</param>
    /// <param name="time">Says when headers were deleted, and when their time is over.</param>
    /// <param name="options">How long deleted headers are kept, and how much one transaction may sweep.</param>
    public Sweeper(Connection connection, TimeProvider time, StoreSweepOptions options)
    {
        _connection = connection;
        _clock = new RetentionClock(time);
        _retention = (long)options.Retention.TotalMilliseconds;
        _allowance = new SweepAllowance(options.BatchSize ?? SweepAllowance.DefaultPerTransaction);
        _sql = new SweepStatements(connection);
    }

    private long Now => _clock.Milliseconds;

    /// <summary>A transaction begins that writes.</summary>
    public void Begin() => _allowance.Begin();

    /// <summary>The transaction writes these parts, and may sweep that much more.</summary>
    public void Earn(ReadOnlySpan<PartWrite> parts) => _allowance.Earn(parts);

    /// <summary>A generation has died: removes its rows within the transaction's allowance, and notes the rest for later.</summary>
    public void Bury(PartitionKey key, in Stamp generation)
    {
        if (Remove(_sql.Generation.Bind(1, key.Text).Bind(2, generation)))
            return;
        _sql.AddGarbage.Bind(1, key.Text).Run();
        _mayHaveGarbage = true;
    }

    /// <summary>Spends on older garbage what is left of the transaction's allowance.</summary>
    public void Sweep()
    {
        while (_mayHaveGarbage && _allowance.IsLeft)
            _mayHaveGarbage = RemoveGarbage();
        if (!_mayHaveGarbage && _allowance.IsLeft && _nextHeader <= Now)
            RemoveHeaders();
    }

    /// <summary>A transaction was rolled back: what it swept is there again.</summary>
    public void Reconsider() => (_mayHaveGarbage, _nextHeader) = (true, 0);

    /// <summary>The time that goes into the header of a key that is deleted now, in milliseconds since 1970.</summary>
    public long NoteDeletion()
    {
        var now = Now;
        if (_nextHeader is not { } next || now + _retention < next)
            _nextHeader = now + _retention;
        return now;
    }

    /// <summary>Removes a few rows in a transaction of its own.</summary>
    /// <returns>Whether there was anything to do.</returns>
    public bool Step()
    {
        if (!_mayHaveGarbage && !(_nextHeader <= Now))
            return false;
        _connection.BeginWriting();
        Begin();
        Sweep();
        _connection.Commit();
        return true;
    }

    /// <summary>Removes dead rows of the next key that has some.</summary>
    /// <returns>Whether there may be more.</returns>
    private bool RemoveGarbage()
    {
        if (!_sql.NextGarbage.Step())
            return false;
        var key = _sql.NextGarbage.Blob(0).ToArray();
        _sql.NextGarbage.Reset();

        if (!TryFindLiveGeneration(key, out var generation)
            || (Remove(_sql.Earlier.Bind(1, key).Bind(2, generation)) && Remove(_sql.Later.Bind(1, key).Bind(2, generation))))
        {
            _sql.ForgetGarbage.Run();
            _allowance.Spend(0);

            // A row that does not go is damaged. Others behind it wait for the next write that leaves garbage.
            return _connection.Changes > 0;
        }

        return true;
    }

    /// <param name="key">The key.</param>
    /// <param name="generation">The generation that lives. Without an object it is empty, and all stamps are greater.</param>
    /// <returns>Whether it is known. Of a damaged header it is not, and the key's rows are left as they are.</returns>
    private bool TryFindLiveGeneration(byte[] key, out byte[] generation)
    {
        generation = [];
        try
        {
            if (!_sql.Header.Bind(1, key).Step())
                return true;
            var header = StoredHeader.Read(_sql.Header);
            if (!header.IsDeleted)
                header.Generation.Write(generation = new byte[Stamp.Bytes]);
            return true;
        }
        catch (SqliteFailure failure) when (!failure.Poisons)
        {
            return false;
        }
        finally
        {
            _sql.Header.Reset();
        }
    }

    /// <returns>When the oldest deleted header was deleted; null if there is none. A time that only damage can have made counts as none.</returns>
    private long? FindOldestHeader()
    {
        long? time = _sql.OldestHeader.Step() ? _sql.OldestHeader.Integer(0) : null;
        _sql.OldestHeader.Reset();
        return time <= long.MaxValue - _retention ? time : null;
    }

    /// <returns>Whether all of the rows are gone.</returns>
    private bool Remove(Statement rows)
    {
        _doomed.Clear();
        var more = rows.Step();
        for (; more && _allowance.IsLeft; more = rows.Step())
        {
            _doomed.Add(rows.Integer(0));
            _allowance.Spend(rows.Integer(1));
        }

        if (more)
            rows.Reset();
        foreach (var row in _doomed)
            _sql.RemoveRow.Bind(1, row).Run();
        return !more;
    }

    private void RemoveHeaders()
    {
        var now = Now;
        _sql.RemoveHeaders.Bind(1, now - _retention).Bind(2, _allowance.Left).Run();
        var removed = _connection.Changes;
        _nextHeader = FindOldestHeader() + _retention;

        // A header that has rows and is not named in the garbage table is kept, and must not keep the writer busy.
        if (removed == 0 && _nextHeader <= now)
            _nextHeader = now + _retention;
    }
}
