namespace Stout.Experiments.Model.Stores;

/// <summary>
/// A store whose log waits a while before each flush, for more commits to share it: PostgreSQL with <c>commit_delay</c>. The last commit
/// hardly waits and the first waits longest, so that the same request takes one time or several times as long.
/// </summary>
internal sealed class CommitDelay(ServiceTime service, TimeSpan delay, TimeSpan flush, StoreSpeed speed) : IStoreModel
{
    private readonly Servers _processor = new(1, service, speed);
    private TimeSpan _flushBegins = TimeSpan.MinValue;
    private TimeSpan _flushEnds;

    public StoreAnswer Take(TimeSpan arrival, int operations, int connection)
    {
        var ready = _processor.Take(arrival, operations, connection).At;
        if (ready > _flushBegins)
        {
            // The first commit that no flush takes any more: it makes the next one, as soon as the present one is over.
            var waitsFrom = ready > _flushEnds ? ready : _flushEnds;
            _flushBegins = speed.Finish(waitsFrom, delay);
            _flushEnds = speed.Finish(_flushBegins, flush);
        }

        return new StoreAnswer(_flushEnds);
    }
}
