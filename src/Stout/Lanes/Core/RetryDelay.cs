namespace Stout.Lanes.Core;

/// <summary>
/// Exponential back-off with an upper bound. Up to a fifth of each delay is subtracted at random, so that lanes that failed together do not retry together.
/// </summary>
internal readonly struct RetryDelay(TimeSpan least, TimeSpan most, Random random)
{
    // The longest delay that a store may ask for. A much longer one would overflow timers.
    private static readonly TimeSpan LongestAsked = TimeSpan.FromDays(1);

    /// <param name="attempt">The number of consecutive failed attempts; 1 or more.</param>
    /// <param name="retryAfter">The store's minimum delay, if it gave one.</param>
    public TimeSpan After(int attempt, TimeSpan? retryAfter = null)
    {
        var bounded = Math.Min(least.Ticks * Math.Pow(2, attempt - 1), most.Ticks);
        var delay = TimeSpan.FromTicks((long)(bounded * (1 - (0.2 * random.NextDouble()))));
        if (retryAfter is not { } asked || asked <= delay)
            return delay;
        return asked < LongestAsked ? asked : LongestAsked;
    }
}
