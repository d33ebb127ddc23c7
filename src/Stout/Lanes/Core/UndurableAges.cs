namespace Stout.Lanes.Core;

/// <summary>
/// Tracks the time of the oldest undurable change. Keys that become dirty at the same time share a Moment, which is removed with its last key.
/// Operations are O(1).
/// </summary>
internal sealed class UndurableAges
{
    // Bounds the pool after a stall. In normal operation moments end nearly as fast as they begin, so few are pooled.
    private const int MostPooled = 256;

    private readonly Stack<Moment> _pool = new();
    private Moment? _first;
    private Moment? _newest;
    private long _oldest = -1;

    /// <summary>The time of the oldest undurable change; null if everything is durable. Thread-safe.</summary>
    public TimeSpan? Oldest => Interlocked.Read(ref _oldest) is >= 0 and var ticks ? new TimeSpan(ticks) : null;

    /// <summary>The number of pooled moments.</summary>
    public int Pooled => _pool.Count;

    /// <summary>Records a key that becomes dirty.</summary>
    /// <returns>The moment to pass to <see cref="End"/> when the key's changes are durable or have failed.</returns>
    public Moment Begin(TimeSpan now)
    {
        if (_newest is null || _newest.At != now)
            Append(now);
        _newest!.Keys++;
        return _newest;
    }

    public void End(Moment moment)
    {
        if (--moment.Keys == 0)
            Remove(moment);
    }

    private void Append(TimeSpan now)
    {
        if (!_pool.TryPop(out var moment))
            moment = new Moment();
        moment.At = now;
        moment.Previous = _newest;
        if (_newest is null)
        {
            _first = moment;
            Publish();
        }
        else
        {
            _newest.Next = moment;
        }

        _newest = moment;
    }

    private void Remove(Moment moment)
    {
        if (moment.Next is null)
            _newest = moment.Previous;
        else
            moment.Next.Previous = moment.Previous;
        if (moment.Previous is null)
        {
            _first = moment.Next;
            Publish();
        }
        else
        {
            moment.Previous.Next = moment.Next;
        }

        moment.Previous = moment.Next = null;
        if (_pool.Count < MostPooled)
            _pool.Push(moment);
    }

    private void Publish() => Interlocked.Exchange(ref _oldest, _first?.At.Ticks ?? -1);
}

/// <summary>A point in time at which keys became dirty.</summary>
internal sealed class Moment
{
    public TimeSpan At { get; set; }

    /// <summary>The number of keys from that time with undurable changes.</summary>
    public int Keys { get; set; }

    /// <summary>The neighbors in the list of moments with undurable changes.</summary>
    public Moment? Previous { get; set; }

    /// <inheritdoc cref="Previous"/>
    public Moment? Next { get; set; }
}
