namespace Stout.Lanes;

/// <summary>
/// How many keys one request may carry, by what the store has lately answered: half of what timed out or was refused as a whole. A request
/// at the limit that is answered raises the limit again, by doubling up to the size that last failed, and slowly beyond.
/// </summary>
/// <remarks>
/// The limit holds beside the law's and the store's, for every law. A request of one key that fails says nothing of sizes: then the limit
/// may double without bound, so that an outage, which fails requests of any size, costs few requests afterwards.
/// </remarks>
internal sealed class RequestSize
{
    // Above the half of the size that failed, each full request that is answered adds a sixteenth: a size that fails is tried again at
    // most once in 12 requests.
    private const int SlowGrowth = 16;

    private int _doubleUpTo = int.MaxValue;

    /// <summary>The most keys of one request; at least 1.</summary>
    public int Keys { get; private set; } = int.MaxValue;

    /// <summary>A request timed out, or every key of it was refused for overload.</summary>
    /// <param name="keys">How many keys it carried.</param>
    public void Failed(int keys)
    {
        if (keys <= 1)
        {
            _doubleUpTo = int.MaxValue;
            return;
        }

        // Requests that were under way together fail together: each counts by its own size, so they halve the limit once.
        _doubleUpTo = keys / 2;
        Keys = Math.Min(Keys, _doubleUpTo);
    }

    /// <summary>A request was answered.</summary>
    /// <param name="keys">How many keys it carried.</param>
    public void Answered(int keys)
    {
        if (keys < Keys)
            return;
        var next = Keys < _doubleUpTo ? Math.Min(2L * Keys, _doubleUpTo) : Keys + Math.Max(1L, Keys / SlowGrowth);
        Keys = (int)Math.Min(next, int.MaxValue);
    }
}
