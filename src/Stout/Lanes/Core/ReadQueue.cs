namespace Stout.Lanes.Core;

/// <summary>The fills that wait to be read, in order. Ended and abandoned fills are skipped.</summary>
/// <param name="isOver">Returns whether a fill has ended, and ends abandoned fills.</param>
internal sealed class ReadQueue(Func<KeyFill, bool> isOver)
{
    private const int LeastTrim = 1024;

    private readonly Queue<KeyFill> _fills = new();
    private int _trimAt = LeastTrim;

    /// <summary>The next fill to read, or null.</summary>
    public KeyFill? First
    {
        get
        {
            while (_fills.TryPeek(out var fill))
            {
                if (!isOver(fill))
                    return fill;
                _fills.Dequeue();
            }

            return null;
        }
    }

    public void Add(KeyFill fill)
    {
        // Trims whenever the length has doubled, at amortized cost O(1).
        if (_fills.Count >= _trimAt)
            Trim();
        fill.IsWaiting = true;
        _fills.Enqueue(fill);
    }

    /// <summary>Removes the first fill from the queue.</summary>
    public void Take() => _fills.Dequeue().IsWaiting = false;

    private void Trim()
    {
        for (var left = _fills.Count; left > 0; left--)
        {
            var fill = _fills.Dequeue();
            if (!isOver(fill))
                _fills.Enqueue(fill);
        }

        _fills.TrimExcess(2 * _fills.Count);
        _trimAt = Math.Max(LeastTrim, 2 * _fills.Count);
    }
}
