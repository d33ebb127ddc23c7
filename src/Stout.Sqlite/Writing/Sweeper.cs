using Stout.Sqlite.Native;

namespace Stout.Sqlite.Writing;

/// <summary>
/// Removes what no reader can reach any more: the rows of dead generations first, and deleted headers last, when no request
/// can live that still relies on them.
/// </summary>
/// <remarks>
/// It scans nothing: the write that makes garbage names its key in the garbage table, and an index holds the deleted headers.
/// Every write and every claim of a deleted key sets the time of its header anew, so an old time means an unchanged stamp.
/// </remarks>
internal sealed class Sweeper : IDisposable
{
    private const int RowsPerStep = 64;
    private static readonly TimeSpan LongestTimer = TimeSpan.FromDays(1);

    private readonly Connection _connection;
    private readonly TimeProvider _time;
    private readonly long _retention;
    private readonly ITimer _timer;
    private readonly SweepStatements _sql;
    private bool _mayHaveGarbage = true;
    private long? _nextHeader = 0;

    /// <param name="connection">The writer's connection.</param>
    /// <param name="time">Says when headers were deleted, and when their time is over.</param>
    /// <param name="retention">How long deleted headers are kept.</param>
    /// <param name="wake">Called, on any thread, when a header's time is over.</param>
    public Sweeper(Connection connection, TimeProvider time, TimeSpan retention, Action wake)
    {
        _connection = connection;
        _time = time;
        _retention = (long)retention.TotalMilliseconds;
        _sql = new SweepStatements(connection);
        _timer = time.CreateTimer(static wake => ((Action)wake!)(), wake, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    private long Now => _time.GetUtcNow().ToUnixTimeMilliseconds();

    /// <summary>Notes, in the transaction that makes them garbage, that a key's rows are dead.</summary>
    public void AddGarbage(PartitionKey key)
    {
        _sql.AddGarbage.Bind(1, key.Text).Run();
        _mayHaveGarbage = true;
    }

    /// <summary>The time that goes into the header of a key that is deleted now, in milliseconds since 1970.</summary>
    public long NoteDeletion()
    {
        var now = Now;
        if (_nextHeader is not { } next || now + _retention < next)
        {
            _nextHeader = now + _retention;
            Arm();
        }

        return now;
    }

    /// <summary>Removes a few rows in one transaction.</summary>
    /// <returns>Whether there was anything to do.</returns>
    public bool Step()
    {
        if (!_mayHaveGarbage && !(_nextHeader <= Now))
            return false;
        _connection.BeginWriting();
        if (_mayHaveGarbage)
            _mayHaveGarbage = RemoveRows();
        else
            RemoveHeaders();
        _connection.Commit();
        return true;
    }

    /// <summary>Sets the timer for the next header whose time will be over.</summary>
    public void Arm()
    {
        if (_nextHeader is { } next)
            _timer.Change(Min(TimeSpan.FromMilliseconds(Math.Max(0, next - Now)), LongestTimer), Timeout.InfiniteTimeSpan);

        static TimeSpan Min(TimeSpan left, TimeSpan right) => left < right ? left : right;
    }

    public void Dispose() => _timer.Dispose();

    /// <returns>Whether there may be more.</returns>
    private bool RemoveRows()
    {
        for (var budget = RowsPerStep; budget > 0; budget--)
        {
            if (!_sql.NextGarbage.Step())
                return false;
            var key = _sql.NextGarbage.Blob(0).ToArray();
            _sql.NextGarbage.Reset();

            // Without an object no generation lives: all stamps are greater than the empty one.
            var lives = _sql.LiveGeneration.Bind(1, key).Step();
            var generation = lives ? _sql.LiveGeneration.Blob(0).ToArray() : [];
            _sql.LiveGeneration.Reset();

            budget -= Remove(_sql.RemoveEarlier, key, generation, budget);
            budget -= Remove(_sql.RemoveLater, key, generation, budget);
            if (budget > 0)
                _sql.ForgetGarbage.Bind(1, key).Run();
        }

        return true;
    }

    private int Remove(Statement statement, byte[] key, byte[] generation, int most)
    {
        if (most == 0)
            return 0;
        statement.Bind(1, key).Bind(2, generation).Bind(3, most).Run();
        return _connection.Changes;
    }

    private void RemoveHeaders()
    {
        var now = Now;
        _sql.RemoveHeaders.Bind(1, now - _retention).Bind(2, RowsPerStep).Run();
        var removed = _connection.Changes;
        _nextHeader = _sql.OldestHeader.Step() && !_sql.OldestHeader.IsNull(0) ? _sql.OldestHeader.Integer(0) + _retention : null;
        _sql.OldestHeader.Reset();

        // A header that has rows and is not named in the garbage table is kept, and must not keep the writer busy.
        if (removed == 0 && _nextHeader <= now)
            _nextHeader = now + _retention;
        Arm();
    }
}
