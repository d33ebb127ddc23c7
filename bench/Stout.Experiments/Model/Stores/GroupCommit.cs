namespace Stout.Experiments.Model.Stores;

/// <summary>
/// A store that takes requests quickly, and makes them durable by flushes of its log, one at a time. All waiting requests share the next flush, as in most
/// databases.
/// </summary>
internal sealed class GroupCommit(ServiceTime service, TimeSpan flush, StoreSpeed speed) : IStoreModel
{
    private readonly Servers _processor = new(1, service, speed);
    private TimeSpan _flushEnds;
    private TimeSpan _nextFlushEnds;

    public StoreAnswer Take(TimeSpan arrival, int operations, int connection)
    {
        var ready = _processor.Take(arrival, operations, connection).At;
        if (ready >= _flushEnds)
            _flushEnds = _nextFlushEnds;
        if (ready >= _flushEnds)
        {
            // The log is idle, so a flush begins at once; commits that come during it share the next flush.
            _nextFlushEnds = _flushEnds = speed.Finish(ready, flush);
            return new StoreAnswer(_flushEnds);
        }

        if (_nextFlushEnds == _flushEnds)
            _nextFlushEnds = speed.Finish(_flushEnds, flush);
        return new StoreAnswer(_nextFlushEnds);
    }
}
