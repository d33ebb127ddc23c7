using Stout.Sqlite.Native;
using Stout.Storage;

namespace Stout.Sqlite.Writing;

/// <summary>
/// Removes rows that no reader can reach: first the rows of dead generations, then deleted headers that no living request relies on.
/// </summary>
/// <remarks>
/// <para>Every writing transaction also sweeps, within its <see cref="SweepAllowance"/>; between batches the sweeper has its own transactions.
/// The rows of a replaced object usually disappear in the transaction that replaces it.</para>
/// <para>The sweeper never scans tables. A write with more dead rows than the allowance adds its key to the garbage table, and an index lists headers
/// without an object. Every write or claim of a key without an object renews or clears <c>deleted_at</c> in its header. So an old <c>deleted_at</c> means
/// that version and owner have not changed since. The transaction that removes a header raises the epoch floor.</para>
/// </remarks>
internal sealed class Sweeper : IDisposable
{
    private readonly Connection _connection;
    private readonly TimeProvider _time;
    private readonly RetentionClock _clock;
    private readonly JobPause _pause;
    private readonly Action<string>? _onStep;
    private readonly long _retention;
    private readonly SweepStatements _sql;
    private readonly SweepAllowance _allowance;
    private readonly List<long> _doomed = [];
    // The time of the next header in milliseconds since 1970; MaxValue without one. Other threads read it, and _mayHaveGarbage.
    private long _nextHeader;
    private volatile bool _mayHaveGarbage = true;
    private bool _hasSwept;

    /// <param name="connection">The writer's connection.</param>
    /// <param name="time">The clock of deletions and retention.</param>
    /// <param name="options">The retention of deleted headers, and the limit of one transaction.</param>
    /// <param name="wake">Called on any thread when the pause after a failure ends.</param>
    /// <param name="onStep">Called before each sweep, for tests.</param>
    public Sweeper(Connection connection, TimeProvider time, StoreSweepOptions options, Action wake, Action<string>? onStep)
    {
        _onStep = onStep;
        _connection = connection;
        _time = time;
        _clock = new RetentionClock(time);
        _pause = new JobPause(Job, options.Interval, time, wake);
        _retention = (long)options.Retention.TotalMilliseconds;
        _allowance = new SweepAllowance(options.BatchSize ?? SweepAllowance.DefaultPerTransaction);
        _sql = new SweepStatements(connection);
    }

    private long Now => _clock.Milliseconds;

    /// <summary>The outcome of the sweeps.</summary>
    public BackgroundJob Job { get; } = new("sweep");

    /// <summary>Whether a sweep has work. Thread-safe.</summary>
    public bool IsDue => _mayHaveGarbage || Volatile.Read(ref _nextHeader) <= Now;

    /// <summary>Starts the allowance of a writing transaction.</summary>
    public void Begin() => _allowance.Begin();

    /// <summary>Adds to the allowance for the parts that the transaction writes.</summary>
    public void Earn(ReadOnlySpan<PartWrite> parts) => _allowance.Earn(parts);

    /// <summary>Removes the rows of a dead generation within the allowance, and records the rest for later.</summary>
    public void Bury(PartitionKey key, in Stamp generation)
    {
        if (Remove(_sql.Generation.Bind(1, key).Bind(2, generation)))
            return;
        _sql.AddGarbage.Bind(1, key).Run();
        _mayHaveGarbage = true;
    }

    /// <summary>Spends the rest of the allowance on older garbage. After a failure there is a pause: a writing transaction would be made twice.</summary>
    public void Sweep()
    {
        _hasSwept = !_pause.IsOn;
        if (!_hasSwept)
            return;
        _onStep?.Invoke("before the sweep");
        while (_mayHaveGarbage && _allowance.IsLeft)
            _mayHaveGarbage = RemoveGarbage();
        if (!_mayHaveGarbage && _allowance.IsLeft && _nextHeader <= Now)
            RemoveHeaders();
    }

    public void Dispose() => _pause.Dispose();

    /// <summary>Handles a rollback: the swept rows exist again.</summary>
    public void Reconsider() => (_mayHaveGarbage, _nextHeader) = (true, 0);

    /// <summary>Handles the commit of a transaction that may have swept.</summary>
    public void End()
    {
        if (_hasSwept)
            _pause.End();
    }

    /// <summary>Handles an error of the sweep, after the rollback.</summary>
    public void Fail(Exception error) => _pause.Fail(error);

    /// <summary>Schedules the removal of a header that is marked as deleted now. Returns the time of the deletion, in milliseconds since 1970.</summary>
    public long NoteDeletion()
    {
        var now = Now;
        _nextHeader = Math.Min(_nextHeader, now + _retention);
        return now;
    }

    /// <summary>Removes a few rows in a separate transaction.</summary>
    /// <returns>Whether there was work to do.</returns>
    public bool Step()
    {
        if (_pause.IsOn || !IsDue)
            return false;
        _connection.BeginWriting();
        Begin();
        Sweep();
        _connection.Commit();
        End();
        return true;
    }

    /// <summary>Removes dead rows of the next key in the garbage table.</summary>
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

            // A row of the garbage table that cannot be deleted is damaged. The rows behind it wait for the next write that leaves garbage.
            return _connection.Changes > 0;
        }

        return true;
    }

    /// <param name="key">The key.</param>
    /// <param name="generation">The living generation. It is empty for an object without rows: all stamps are greater, so all rows of the key are dead.</param>
    /// <returns>Whether the generation is known. With a damaged header it is not, and the key's rows stay.</returns>
    private bool TryFindLiveGeneration(byte[] key, out byte[] generation)
    {
        generation = [];
        try
        {
            if (!_sql.Header.Bind(1, key).Step())
                return true;
            var header = StoredHeader.Read(_sql.Header);
            if (!header.IsDeleted && header.HasRows)
                header.Generation.Write(generation = new byte[Stamp.Bytes]);
            return true;
        }
        catch (SqliteFailure failure) when (failure.IsOfOneRow)
        {
            return false;
        }
        finally
        {
            _sql.Header.Reset();
        }
    }

    /// <returns>The time of the oldest deletion, or null. An impossible time, which only damage can cause, is ignored.</returns>
    private long? FindOldestHeader()
    {
        long? time = _sql.OldestHeader.Step() ? _sql.OldestHeader.Integer(0) : null;
        _sql.OldestHeader.Reset();
        return time <= long.MaxValue - _retention ? time : null;
    }

    /// <returns>Whether all rows were removed.</returns>
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
        return RemoveDoomed(_sql.RemoveRow) && !more;
    }

    /// <returns>Whether the time sufficed for all of them.</returns>
    private bool RemoveDoomed(Statement removal)
    {
        foreach (var row in _doomed)
        {
            if (!_allowance.IsTimeLeft)
                return false;
            var began = _time.GetTimestamp();
            removal.Bind(1, row).Run();
            _allowance.Spend(_time.GetElapsedTime(began));
        }

        return true;
    }

    private void RemoveHeaders()
    {
        var now = Now;
        var (removed, epoch) = (0, 0L);
        _doomed.Clear();
        for (_sql.OldHeaders.Bind(1, now - _retention).Bind(2, _allowance.Left); _sql.OldHeaders.Step(); removed++)
        {
            _doomed.Add(_sql.OldHeaders.Integer(0));
            if (KeyOwner.TryRead(_sql.OldHeaders.Blob(1), out var owner))
                epoch = Math.Max(epoch, owner.Epoch);
        }

        // The epoch floor rises in the transaction that removes the headers, so that no crash lets an epoch be given a second time.
        if (epoch > 0)
            _sql.RaiseEpochFloor.Bind(1, epoch).Run();
        RemoveDoomed(_sql.RemoveHeader);
        _nextHeader = FindOldestHeader() + _retention ?? long.MaxValue;

        // A header with part rows, but without an entry in the garbage table, is never removed. The delay prevents the writer from retrying it all the
        // time.
        if (removed == 0 && _nextHeader <= now)
            _nextHeader = now + _retention;
    }
}
