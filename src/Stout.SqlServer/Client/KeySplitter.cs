namespace Stout.SqlServer.Client;

/// <summary>
/// Sends the keys of a request together, and in halves where the server reports an error that one of them alone may have caused. So a
/// lock, a constraint or a trigger concerns its own key, and a request without such a key costs nothing more.
/// </summary>
internal static class KeySplitter
{
    /// <summary>Sends keys, and sets their outcomes.</summary>
    /// <param name="keys">The keys.</param>
    /// <param name="locks">How long the statement waits for a lock.</param>
    /// <returns>The error that one of the keys may have caused; null if all have an outcome.</returns>
    public delegate ValueTask<KeyTrouble?> Send(KeyRange keys, LockWait locks);

    /// <summary>Sends keys until each has an outcome: those that are no suspects first, and the suspects apart from them.</summary>
    /// <param name="keys">The keys.</param>
    /// <param name="budget">
    /// How long the halves are made smaller. Then every half that fails is settled as a whole, which happens where a server is slow and
    /// something holds very many keys.
    /// </param>
    /// <param name="send">Sends some of the keys.</param>
    /// <param name="settle">Sets the outcomes of keys that an error is reported for.</param>
    public static async ValueTask RunAsync(KeyOrder keys, TimeSpan budget, Send send, Action<KeyRange, KeyTrouble> settle)
    {
        if (keys.Healthy.Count > 0)
            await RunAsync(keys.Healthy, LockWait.Short, budget, send, settle).ConfigureAwait(false);
        if (keys.Suspects.Count > 0)
            await RunAsync(keys.Suspects, LockWait.None, budget, send, settle).ConfigureAwait(false);
    }

    private static async ValueTask RunAsync(KeyRange keys, LockWait locks, TimeSpan budget, Send send, Action<KeyRange, KeyTrouble> settle)
    {
        if (await send(keys, locks).ConfigureAwait(false) is not { } first)
            return;
        if (keys.Count == 1)
        {
            settle(keys, first);
            return;
        }

        var began = TimeProvider.System.GetTimestamp();
        var left = new Stack<KeyRange>([keys.SecondHalf, keys.FirstHalf]);
        while (left.TryPop(out var half))
        {
            if (await send(half, LockWait.None).ConfigureAwait(false) is not { } trouble)
                continue;
            if (half.Count == 1 || TimeProvider.System.GetElapsedTime(began) >= budget)
            {
                settle(half, trouble);
                continue;
            }

            left.Push(half.SecondHalf);
            left.Push(half.FirstHalf);
        }
    }
}
