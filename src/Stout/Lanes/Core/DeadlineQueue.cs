namespace Stout.Lanes.Core;

/// <summary>
/// A queue of items with the same time limit, in the order of their start. Items that ended in time are skipped. Items are pooled objects, so the
/// queue identifies each use by its run number.
/// </summary>
/// <remarks>
/// An ended entry behind a running one would stay until the running one's deadline. So the queue removes ended entries whenever its length has
/// doubled. It holds at most twice the running entries, or <see cref="LeastTrim"/>, at amortized cost O(1).
/// </remarks>
internal sealed class DeadlineQueue<T>(TimeSpan limit, Func<T, long, bool> isOver)
{
    private const int LeastTrim = 256;

    private Queue<(T Item, long Run, TimeSpan Due)> _queue = new();
    private int _trimAt = LeastTrim;

    /// <summary>The number of entries, including ended ones.</summary>
    public int Count => _queue.Count;

    /// <summary>The deadline of the first running item.</summary>
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

    /// <summary>Removes the first running item from the queue.</summary>
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
        // The old queue would keep an array of its largest length.
        _queue = new(_queue.Where(entry => !isOver(entry.Item, entry.Run)));
        _trimAt = Math.Max(LeastTrim, 2 * _queue.Count);
    }
}
