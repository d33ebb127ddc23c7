namespace Stout.Experiments.Model.Stores;

/// <summary>
/// A store whose log waits a while before each flush, for more commits to share it: PostgreSQL with <c>commit_delay</c>. The first commit of a flush waits
/// longest and the last one hardly waits, so equal requests take very different times.
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
            // The commit is too late for the flush that was planned last, so it plans the next one, after that flush.
            var waitsFrom = ready > _flushEnds ? ready : _flushEnds;
            _flushBegins = speed.Finish(waitsFrom, delay);
            _flushEnds = speed.Finish(_flushBegins, flush);
        }

        return new StoreAnswer(_flushEnds);
    }
}
