using System.Collections.Concurrent;

namespace Stout.Paper;

/// <summary>
/// Pools the cancellation sources that end the application's callbacks after the time limit. New sources would be most of a batch's allocations.
/// </summary>
internal sealed class CallbackLimits(TimeSpan limit, TimeProvider time) : IDisposable
{
    private readonly ConcurrentQueue<CancellationTokenSource> _spare = new();

    /// <summary>Takes a source that is cancelled after the time limit unless it is returned before.</summary>
    public CancellationTokenSource Take()
    {
        if (!_spare.TryDequeue(out var source))
            return new CancellationTokenSource(limit, time);
        source.CancelAfter(limit);
        return source;
    }

    public void GiveBack(CancellationTokenSource source)
    {
        if (source.TryReset())
            _spare.Enqueue(source);
        else
            source.Dispose();
    }

    public void Dispose()
    {
        while (_spare.TryDequeue(out var source))
            source.Dispose();
    }
}
