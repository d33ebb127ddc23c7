using System.Collections.Concurrent;

namespace Stout.Lanes;

/// <summary>
/// What tells the application's callbacks that their time is over. Used again, as web servers do with their requests' tokens: it
/// would be most of what a batch allocates.
/// </summary>
internal sealed class CallbackLimits(TimeSpan limit, TimeProvider time) : IDisposable
{
    private readonly ConcurrentQueue<CancellationTokenSource> _spare = new();

    /// <summary>A source that is cancelled when the time is over, unless it is given back before.</summary>
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
