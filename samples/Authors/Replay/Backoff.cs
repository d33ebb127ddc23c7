using System.Diagnostics;

namespace Authors.Replay;

/// <summary>Waits between the attempts of one request. The wait doubles from 50 ms up to 2 s, until <paramref name="giveUpAfter"/> has passed.</summary>
internal struct Backoff(TimeSpan giveUpAfter)
{
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(2);

    private readonly long _started = Stopwatch.GetTimestamp();
    private TimeSpan _next = TimeSpan.FromMilliseconds(50);

    /// <exception cref="AuthorsException">The request has been tried for longer than the limit, without success.</exception>
    public Task WaitAsync(TimeSpan? asked, string reason, CancellationToken cancellationToken)
    {
        if (Stopwatch.GetElapsedTime(_started) > giveUpAfter)
            throw new AuthorsException($"No success in {giveUpAfter.TotalSeconds:0} s: {reason}");
        var delay = asked > _next ? asked.Value : _next;
        _next = _next * 2 < Longest ? _next * 2 : Longest;
        return Task.Delay(delay, cancellationToken);
    }
}
