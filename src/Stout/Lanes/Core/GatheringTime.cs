namespace Stout.Lanes.Core;

/// <summary>
/// Measures when the keys of a batch came while it waited. Writers that wait for their answers bring all keys right after the answer, so the rest of the wait
/// gathers nothing.
/// </summary>
internal struct GatheringTime
{
    private TimeSpan _since;
    private TimeSpan _notedAt;
    private double _keyTime;
    private int _keys;
    private bool _isIdle;

    /// <summary>Starts the wait of the next batch.</summary>
    public void Begin(TimeSpan now)
    {
        (_since, _notedAt) = (now, now);
        (_keyTime, _keys) = (0, 0);
        _isIdle = true;
    }

    /// <summary>Notes the number of waiting keys. The wait starts anew at the answer after which no request is in flight.</summary>
    public void Note(int keys, bool isIdle, TimeSpan now)
    {
        if (isIdle && !_isIdle)
            Begin(now);
        _isIdle = isIdle;
        _keyTime += _keys * (now - _notedAt).TotalMilliseconds;
        (_keys, _notedAt) = (keys, now);
    }

    /// <summary>Returns the length of the wait until now; 0 while a request is in flight.</summary>
    public readonly TimeSpan Waited(TimeSpan now) => _isIdle ? now - _since : TimeSpan.Zero;

    /// <summary>Returns the mean time from the beginning of the wait until a key came.</summary>
    public readonly TimeSpan MeanArrival(TimeSpan now, int keys)
    {
        if (keys == 0 || !_isIdle)
            return TimeSpan.Zero;
        var waited = (now - _since).TotalMilliseconds;
        var keyTime = _keyTime + (_keys * (now - _notedAt).TotalMilliseconds);
        return TimeSpan.FromMilliseconds(Math.Max(0, waited - (keyTime / keys)));
    }
}
