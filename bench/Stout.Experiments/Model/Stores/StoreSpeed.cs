namespace Stout.Experiments.Model.Stores;

/// <summary>
/// How fast a store partition works over time: 1 as usual, 0.1 ten times slower, 0 not at all (a hiccup). Constant between changes.
/// </summary>
internal sealed class StoreSpeed
{
    private readonly SpeedChange[] _changes;

    // The index at which the search for the next change begins. Most work starts later than earlier work, so earlier changes need not be searched again.
    // Several servers and concurrent runs may share this object, so the index is only a hint: any value gives the right result.
    private int _from;

    /// <param name="changes">The changes in the order of time. The speed before the first change is 1. The last change must leave the store working.</param>
    public StoreSpeed(params IEnumerable<SpeedChange> changes)
    {
        _changes = [.. changes];
        if (_changes is [.., { Speed: <= 0 }])
            throw new ArgumentException("A store that never works again answers nothing.", nameof(changes));
    }

    /// <summary>The changes, in the order of time.</summary>
    public IReadOnlyList<SpeedChange> Changes => _changes;

    /// <summary>A store that always works as usual.</summary>
    public static StoreSpeed Usual => new();

    /// <summary>A store with one pause.</summary>
    public static StoreSpeed Hiccup(TimeSpan at, TimeSpan length) => Hiccups([(at, length)]);

    /// <summary>A store with pauses, in the order of time and apart from each other.</summary>
    public static StoreSpeed Hiccups(IEnumerable<(TimeSpan At, TimeSpan Length)> pauses) =>
        new(pauses.SelectMany(p => new SpeedChange[] { new(p.At, 0), new(p.At + p.Length, 1) }));

    /// <summary>Returns the end of work that begins at <paramref name="start"/> and takes <paramref name="work"/> at the usual speed.</summary>
    public TimeSpan Finish(TimeSpan start, TimeSpan work)
    {
        if (_changes.Length == 0)
            return start + work;
        var i = First(start);
        var speed = i == 0 ? 1 : _changes[i - 1].Speed;
        var now = start;
        var left = (double)work.Ticks;
        for (; i < _changes.Length; i++)
        {
            var done = (_changes[i].At - now).Ticks * speed;
            // Work that ends exactly when a pause begins is done before it.
            if (done >= left)
                break;
            left -= done;
            now = _changes[i].At;
            speed = _changes[i].Speed;
        }

        return now + new TimeSpan((long)Math.Ceiling(left / speed));
    }

    // The first change that lies after the start.
    private int First(TimeSpan start)
    {
        var from = _from;
        if (from > 0 && _changes[from - 1].At > start)
            from = 0;
        while (from < _changes.Length && _changes[from].At <= start)
            from++;
        return _from = from;
    }
}

/// <summary>A change of the store's speed.</summary>
/// <param name="At">The time of the change.</param>
/// <param name="Speed">The speed from then on: 1 as usual, 0 not at all.</param>
internal readonly record struct SpeedChange(TimeSpan At, double Speed);
