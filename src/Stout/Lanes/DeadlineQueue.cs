namespace Stout.Lanes;

/// <summary>
/// Things that must end within one same time, in the order of their start. A thing that has ended in time is passed over when its turn
/// comes; since objects are used again, each is known by its run.
/// </summary>
/// <remarks>
/// An entry behind one that has not ended would stay until that one's deadline. The queue drops such entries whenever its length has doubled,
/// so it holds at most twice the entries that have not ended, or <see cref="LeastTrim"/>, at O(1) amortized.
/// </remarks>
internal sealed class DeadlineQueue<T>(TimeSpan limit, Func<T, long, bool> isOver)
{
    private const int LeastTrim = 256;

    private Queue<(T Item, long Run, TimeSpan Due)> _queue = new();
    private int _trimAt = LeastTrim;

    /// <summary>Entries held, with those that have ended.</summary>
    public int Count => _queue.Count;

    /// <summary>When the first thing that has not ended is due.</summary>
    public TimeSpan? Next
    {
        get
        {
            while (_queue.TryPeek(out var first))
            {
                if (!isOver(first.Item, first.Run))
                    return first.Due;
                _queue.Dequeue();
            }

            return null;
        }
    }

    public void Add(T item, long run, TimeSpan now)
    {
        if (_queue.Count >= _trimAt)
            Trim();
        _queue.Enqueue((item, run, now + limit));
    }

    /// <summary>Takes the first thing that has not ended.</summary>
    public bool TryTake(out T item)
    {
        var isThere = Next is not null;
        item = isThere ? _queue.Dequeue().Item : default!;
        return isThere;
    }

    public bool TryTakeDue(TimeSpan now, out T item)
    {
        if (Next is { } due && due <= now)
        {
            item = _queue.Dequeue().Item;
            return true;
        }

        item = default!;
        return false;
    }

    private void Trim()
    {
        // A new queue, since the old one's array is as long as the queue once was.
        _queue = new(_queue.Where(entry => !isOver(entry.Item, entry.Run)));
        _trimAt = Math.Max(LeastTrim, 2 * _queue.Count);
    }
}
