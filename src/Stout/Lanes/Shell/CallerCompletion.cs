namespace Stout.Lanes.Shell;

/// <summary>Completes callers whose wait may have ended before.</summary>
internal static class CallerCompletion
{
    /// <summary>Completes a caller with a result or a failure.</summary>
    /// <returns>False if the caller has stopped waiting.</returns>
    public static bool TryComplete<T>(this TaskCompletionSource<T> caller, T result, StoutException? failure)
    {
        if (failure is null)
            return caller.TrySetResult(result);
        var isTaken = caller.TrySetException(failure);
        // Reading the exception marks it as observed, since the caller may have stopped waiting.
        _ = caller.Task.Exception;
        return isTaken;
    }
}
