namespace Stout.Lanes;

/// <summary>
/// Since when the oldest change waits that is not durable. Changes of one moment are counted together, and moments come in order, so
/// each operation is O(1) whatever the number of keys.
/// </summary>
internal sealed class UndurableAges
{
    private readonly Queue<Moment> _moments = new();
    private readonly Stack<Moment> _pool = new();
    private Moment? _newest;
    private long _oldest = -1;

    /// <summary>When the oldest undurable change was made; null if there is none. May be read by any thread.</summary>
    public TimeSpan? Oldest => Interlocked.Read(ref _oldest) is >= 0 and var ticks ? new TimeSpan(ticks) : null;

    /// <summary>A key becomes dirty.</summary>
    /// <returns>To be given back to <see cref="End"/> when its changes are durable or have failed.</returns>
    public Moment Begin(TimeSpan now)
    {
        if (_newest is null || _newest.At != now)
        {
            if (!_pool.TryPop(out _newest))
                _newest = new Moment();
            _newest.At = now;
            _moments.Enqueue(_newest);
            if (_moments.Count == 1)
                Publish();
        }

        _newest.Keys++;
        return _newest;
    }

    public void End(Moment moment)
    {
        if (--moment.Keys == 0)
            Forget();
    }

    // Moments that were over before have waited for an older one.
    private void Forget()
    {
        while (_moments.TryPeek(out var first) && first.Keys == 0)
            _pool.Push(_moments.Dequeue());
        if (_moments.Count == 0)
            _newest = null;
        Publish();
    }

    private void Publish() => Interlocked.Exchange(ref _oldest, _moments.TryPeek(out var first) ? first.At.Ticks : -1);
}

/// <summary>A moment at which keys became dirty.</summary>
internal sealed class Moment
{
    public TimeSpan At { get; set; }

    /// <summary>The keys whose changes of that moment are not durable yet.</summary>
    public int Keys { get; set; }
}
