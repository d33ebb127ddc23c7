namespace Stout.Lanes;

/// <summary>Fills that wait to be read, in their order, without those that have ended or that all callers have given up.</summary>
/// <param name="isOver">Whether a fill has ended. Ends one that was given up.</param>
internal sealed class ReadQueue(Func<KeyFill, bool> isOver)
{
    private const int LeastTrim = 1024;

    private readonly Queue<KeyFill> _fills = new();
    private int _trimAt = LeastTrim;

    /// <summary>The next fill to read; null if none waits.</summary>
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
        // Whenever the length has doubled, so that each costs O(1) amortized.
        if (_fills.Count >= _trimAt)
            Trim();
        fill.IsWaiting = true;
        _fills.Enqueue(fill);
    }

    /// <summary>Takes the first fill out.</summary>
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
