namespace Stout.Lanes;

/// <summary>
/// Growing waits between attempts: doubling, bounded, and shortened by up to a fifth so that lanes which failed together do not come
/// back together.
/// </summary>
internal readonly struct RetryDelay(TimeSpan least, TimeSpan most, Random random)
{
    // What a store asks for comes over the wire; beyond a day it would only break timers.
    private static readonly TimeSpan LongestAsked = TimeSpan.FromDays(1);

    /// <param name="attempt">How many attempts have failed in a row; 1 or more.</param>
    /// <param name="retryAfter">The least that the store asked for, if it did.</param>
    public TimeSpan After(int attempt, TimeSpan? retryAfter = null)
    {
        var bounded = Math.Min(least.Ticks * Math.Pow(2, attempt - 1), most.Ticks);
        var delay = TimeSpan.FromTicks((long)(bounded * (1 - (0.2 * random.NextDouble()))));
        if (retryAfter is not { } asked || asked <= delay)
            return delay;
        return asked < LongestAsked ? asked : LongestAsked;
    }
}
