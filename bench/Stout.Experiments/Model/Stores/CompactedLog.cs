namespace Stout.Experiments.Model.Stores;

/// <summary>
/// A store on a log that it compacts after a number of operations, and that stands still meanwhile. Like those of PacificA in the paper (section 5.6), its
/// pauses come more often the higher the load.
/// </summary>
internal sealed class CompactedLog(ServiceTime service, int operationsPerCompaction, TimeSpan compaction, StoreSpeed speed) : IStoreModel
{
    private TimeSpan _freeAt;
    private int _sinceCompaction;

    public StoreAnswer Take(TimeSpan arrival, int operations, int connection)
    {
        var done = speed.Finish(arrival > _freeAt ? arrival : _freeAt, service.Of(operations));
        _freeAt = done;
        _sinceCompaction += operations;
        if (_sinceCompaction >= operationsPerCompaction)
        {
            _sinceCompaction = 0;
            _freeAt = speed.Finish(done, compaction);
        }

        return new StoreAnswer(done);
    }
}
