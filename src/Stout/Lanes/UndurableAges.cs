namespace Stout.Lanes;

/// <summary>
/// Since when the oldest change waits that is not durable. Changes of one moment are counted together, and a moment leaves as soon as its
/// last change is durable, so each operation is O(1) and the memory is that of the moments that still have undurable changes.
/// </summary>
internal sealed class UndurableAges
{
    // Bounds what a stall leaves behind. A lane ends its moments nearly as fast as it begins them, so few are ever spare.
    private const int MostPooled = 256;

    private readonly Stack<Moment> _pool = new();
    private Moment? _first;
    private Moment? _newest;
    private long _oldest = -1;

    /// <summary>When the oldest undurable change was made; null if there is none. May be read by any thread.</summary>
    public TimeSpan? Oldest => Interlocked.Read(ref _oldest) is >= 0 and var ticks ? new TimeSpan(ticks) : null;

    /// <summary>Spare moments.</summary>
    public int Pooled => _pool.Count;

    /// <summary>A key becomes dirty.</summary>
    /// <returns>To be given back to <see cref="End"/> when its changes are durable or have failed.</returns>
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

/// <summary>A moment at which keys became dirty.</summary>
internal sealed class Moment
{
    public TimeSpan At { get; set; }

    /// <summary>The keys whose changes of that moment are not durable yet.</summary>
    public int Keys { get; set; }

    /// <summary>The moment before, and the one after, among those with undurable changes.</summary>
    public Moment? Previous { get; set; }

    /// <inheritdoc cref="Previous"/>
    public Moment? Next { get; set; }
}
