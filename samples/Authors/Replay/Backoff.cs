using System.Diagnostics;

namespace Authors.Replay;

/// <summary>Waits between the attempts of one request, each time twice as long, until there is no point any more.</summary>
internal struct Backoff(TimeSpan giveUpAfter)
{
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(2);

    private readonly long _started = Stopwatch.GetTimestamp();
    private TimeSpan _next = TimeSpan.FromMilliseconds(50);

    /// <exception cref="AuthorsException">It has been tried for long enough.</exception>
    public Task WaitAsync(TimeSpan? asked, string reason, CancellationToken cancellationToken)
    {
        if (Stopwatch.GetElapsedTime(_started) > giveUpAfter)
            throw new AuthorsException($"No success in {giveUpAfter.TotalSeconds:0} s: {reason}");
        var delay = asked > _next ? asked.Value : _next;
        _next = _next * 2 < Longest ? _next * 2 : Longest;
        return Task.Delay(delay, cancellationToken);
    }
}
