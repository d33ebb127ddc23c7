namespace Stout.Lanes;

/// <summary>
/// Things that must end within one same time, in the order of their start. What has ended in time is passed over when its turn
/// comes; since objects are used again, each is known by its run.
/// </summary>
internal sealed class DeadlineQueue<T>(TimeSpan limit, Func<T, long, bool> isOver)
{
    private readonly Queue<(T Item, long Run, TimeSpan Due)> _queue = new();

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

    public void Add(T item, long run, TimeSpan now) => _queue.Enqueue((item, run, now + limit));

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
}
