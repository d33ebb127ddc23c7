namespace Stout.Experiments.Model.Stores;

/// <summary>
/// Flushes of a log, one at a time: a request joins the first flush that begins once the request is ready. Several workers make requests ready in another
/// order than that of their arrival, so a list of the planned flushes is kept.
/// </summary>
/// <param name="delay">How long a flush waits for more requests before it begins.</param>
/// <param name="length">How long a flush takes.</param>
/// <param name="speed">The store's speed.</param>
internal sealed class FlushSchedule(TimeSpan delay, TimeSpan length, StoreSpeed speed)
{
    private readonly List<(TimeSpan Start, TimeSpan End)> _flushes = [];

    /// <summary>When the flush of a request ends.</summary>
    /// <param name="now">The request's arrival; never before that of an earlier call.</param>
    /// <param name="ready">When the request begins to wait for a flush.</param>
    public TimeSpan End(TimeSpan now, TimeSpan ready)
    {
        // Keeps the last flush that is over: its end is the time from which the log was free.
        while (_flushes.Count > 1 && _flushes[1].End <= now)
            _flushes.RemoveAt(0);
        var next = _flushes.Count;
        while (next > 0 && _flushes[next - 1].Start >= ready)
            next--;
        var free = next == 0 || _flushes[next - 1].End < ready ? ready : _flushes[next - 1].End;
        var start = speed.Finish(free, delay);
        var end = speed.Finish(start, length);
        if (next < _flushes.Count && _flushes[next].Start <= end)
            return _flushes[next].End;
        _flushes.Insert(next, (start, end));
        return end;
    }
}
