namespace Stout.Orleans.Storage;

/// <summary>
/// The time limits of callers. The work of a call has the longer limits of the store's requests. It continues after its caller's limit, and keeps its key
/// until its outcome is known.
/// </summary>
/// <param name="time">The silo's clock.</param>
/// <param name="limit">The longest wait of one call.</param>
/// <param name="closeLimit">The longest wait of a deactivation for the keys of its states.</param>
internal sealed class AnswerTime(TimeProvider time, TimeSpan limit, TimeSpan closeLimit)
{
    /// <summary>The share of Orleans' time-outs that a call may wait. The rest is for the error's way to the caller.</summary>
    public const double Share = 0.8;

    /// <summary>The start of a call, for <see cref="Left"/>.</summary>
    public long Now => time.GetTimestamp();

    /// <summary>The part of a time-out of Orleans that Stout uses, within the range of <see cref="StoutOptions.AnswerWithin"/>.</summary>
    /// <param name="timeout">The time-out; not positive for an infinite one.</param>
    public static TimeSpan PartOf(TimeSpan timeout)
    {
        var longest = TimeSpan.FromDays(1);
        return timeout <= TimeSpan.Zero || timeout >= longest / Share ? longest : TimeSpan.FromTicks(Math.Max(TimeSpan.TicksPerMillisecond, (timeout * Share).Ticks));
    }

    /// <summary>Waits until work has ended, or until a wait for it has ended without a result.</summary>
    /// <param name="work">The work. It continues.</param>
    /// <param name="waited">A wait for the work.</param>
    /// <returns>Whether the work has ended. If it has failed, its error is thrown.</returns>
    public static async ValueTask<bool> HasEndedAsync(Task work, Task waited)
    {
        await waited.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!work.IsCompleted)
        {
            // No caller awaits the work any more. Reading its error marks the error as observed.
            _ = work.ContinueWith(
                static work => work.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
            return false;
        }

        await work.ConfigureAwait(false);
        return true;
    }

    /// <summary>Begins the time limit of a call.</summary>
    public CancellationTokenSource Begin() => new(limit, time);

    /// <summary>The rest of a call's time limit; 0 after it.</summary>
    public TimeSpan Left(long start) => limit - time.GetElapsedTime(start) is var left && left > TimeSpan.Zero ? left : TimeSpan.Zero;

    /// <summary>Waits for work at most for a time. The work continues.</summary>
    /// <returns>Whether the work has ended. If it has failed, its error is thrown.</returns>
    public ValueTask<bool> HasEndedAsync(Task work, TimeSpan within) => HasEndedAsync(work, work.WaitAsync(within, time));

    /// <summary>Waits for the close of a key at the end of an activation, until the limit of deactivations or until the token fires. The close continues.</summary>
    /// <returns>Whether the key is closed.</returns>
    public ValueTask<bool> IsClosedAsync(Task closing, CancellationToken cancellationToken) =>
        HasEndedAsync(closing, closing.WaitAsync(closeLimit, time, cancellationToken));
}
