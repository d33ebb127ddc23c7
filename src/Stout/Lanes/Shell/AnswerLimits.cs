namespace Stout.Lanes.Shell;

/// <summary>
/// The cancellation sources of <see cref="StoutOptions.AnswerWithin"/>. Calls that begin within the same 64th of the limit share one source, so a call
/// needs no timer and no source of its own. A call therefore ends up to a 64th of the limit early, and never late.
/// </summary>
internal sealed class AnswerLimits : IDisposable
{
    private const int Slices = 64;

    private readonly Lock _lock = new();
    private readonly TimeSpan _limit;
    private readonly TimeProvider _time;
    private readonly Queue<Slice> _slices = [];
    private volatile Slice? _latest;
    private bool _isDisposed;

    private AnswerLimits(TimeSpan limit, TimeProvider time) => (_limit, _time) = (limit, time);

    /// <summary>Null if the options have no limit.</summary>
    public static AnswerLimits? Of(StoutOptions options, TimeProvider time) =>
        options.AnswerWithin is { } limit ? new AnswerLimits(limit, time) : null;

    /// <summary>The cause of the error that a call gets after the limit.</summary>
    public static TimeoutException Passed() => new($"The time limit for an answer ({nameof(StoutOptions.AnswerWithin)}) passed.");

    /// <summary>A token that is cancelled when a call that begins now has to end.</summary>
    public CancellationToken Token
    {
        get
        {
            var now = _time.GetTimestamp();
            return _latest is { } latest && IsCurrent(latest, now) ? latest.Token : NewSlice(now);
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            foreach (var slice in _slices)
                slice.Source.Dispose();
            _slices.Clear();
            _isDisposed = true;
        }
    }

    private bool IsCurrent(Slice slice, long now) => _time.GetElapsedTime(slice.Start, now) < _limit / Slices;

    private CancellationToken NewSlice(long now)
    {
        lock (_lock)
        {
            // Every call of a closed client fails at once.
            if (_isDisposed)
                return CancellationToken.None;
            if (_latest is { } latest && IsCurrent(latest, now))
                return latest.Token;
            // A cancelled source is not disposed, since its callbacks may still be running. It needs no disposal: its timer has fired.
            while (_slices.TryPeek(out var oldest) && oldest.Source.IsCancellationRequested)
                _slices.Dequeue();
            var next = new Slice(now, new CancellationTokenSource(_limit, _time));
            _slices.Enqueue(next);
            _latest = next;
            return next.Token;
        }
    }

    private sealed class Slice(long start, CancellationTokenSource source)
    {
        public long Start => start;

        public CancellationTokenSource Source => source;

        /// <summary>Usable also after the source has been disposed.</summary>
        public CancellationToken Token { get; } = source.Token;
    }
}
