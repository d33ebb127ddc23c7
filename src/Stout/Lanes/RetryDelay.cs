namespace Stout.Lanes;

/// <summary>
/// Growing waits between attempts: doubling, bounded, and scattered by a fifth so that lanes which failed together do not come
/// back together.
/// </summary>
internal readonly struct RetryDelay(TimeSpan least, TimeSpan most, Random random)
{
    /// <param name="attempt">How many attempts have failed in a row; 1 or more.</param>
    /// <param name="retryAfter">The least that the store asked for, if it did.</param>
    public TimeSpan After(int attempt, TimeSpan? retryAfter = null)
    {
        // 2^30 times the least delay is beyond any bound.
        var doubled = least * Math.Pow(2, Math.Min(attempt - 1, 30));
        var bounded = doubled < most ? doubled : most;
        var delay = bounded * (0.8 + (0.4 * random.NextDouble()));
        return retryAfter is { } asked && asked > delay ? asked : delay;
    }
}
