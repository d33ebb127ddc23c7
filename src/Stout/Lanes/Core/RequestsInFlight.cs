namespace Stout.Lanes.Core;

/// <summary>
/// The requests of one kind that are in flight: their number against the law's limit, their size and their time limits. Slow requests, and repeats of timed-out
/// ones, count separately. One unanswered key therefore delays no other key.
/// </summary>
/// <param name="gate">Has the law's limit.</param>
/// <param name="timeout">The time limit of a request.</param>
/// <param name="commands">The core's commands.</param>
/// <param name="send">The command that sends a request.</param>
internal sealed class RequestsInFlight<T>(DepartureGate gate, TimeSpan timeout, List<LaneCommand> commands, LaneCommandKind send)
    where T : StoreCall
{
    /// <summary>
    /// The most slow requests, and also the most repeats, in flight beyond the law's limit. Each such request may occupy one session of the store.
    /// </summary>
    public const int MostBeside = 4;

    private readonly DeadlineQueue<T> _unslow = new(TimeLimits.SlowAfter(timeout), static (request, run) => request.IsOver || request.Run != run);
    private readonly DeadlineQueue<T> _deadlines = new(timeout, static (request, run) => request.IsOver || request.Run != run);
    private readonly RequestSize _size = new();
    private int _slow;
    private int _repeats;
    private int _slowRepeats;

    /// <summary>The number of requests in flight.</summary>
    public int Count { get; private set; }

    /// <summary>
    /// The requests that count against the law's limit. While the store fails, slow requests count too, since further requests would also have to wait.
    /// </summary>
    public int Held => Count - _repeats - (gate.IsFailing ? 0 : Math.Min(_slow, MostBeside));

    /// <summary>Whether the law's limit allows another request.</summary>
    public bool HasRoom => Held < gate.MaxInFlight;

    /// <summary>
    /// Whether a repeat of a timed-out request may leave. While the store fails, a repeat leaves only when all earlier repeats are slow.
    /// </summary>
    public bool HasRoomForRepeat => _repeats < MostBeside && (!gate.IsFailing || _repeats == _slowRepeats);

    /// <summary>The most keys of one request, by recent failures of whole requests.</summary>
    public int MostKeys => _size.Keys;

    /// <summary>The time at which the next request becomes slow.</summary>
    public TimeSpan? NextSlow => _unslow.Next;

    /// <summary>The time limit of the oldest request.</summary>
    public TimeSpan? NextDeadline => _deadlines.Next;

    public void Send(T request, bool isRepeat, TimeSpan now)
    {
        request.SentAt = now;
        Count++;
        request.Place = isRepeat ? Place.Repeat : Place.Held;
        if (isRepeat)
            _repeats++;
        _unslow.Add(request, request.Run, now);
        _deadlines.Add(request, request.Run, now);
        commands.Add(new LaneCommand(send, request));
    }

    /// <summary>Reclassifies requests that have become slow.</summary>
    public void StepAside(TimeSpan now)
    {
        while (_unslow.TryTakeDue(now, out var request))
        {
            if (request.Place == Place.Held)
            {
                request.Place = Place.Slow;
                _slow++;
            }
            else
            {
                request.Place = Place.SlowRepeat;
                _slowRepeats++;
            }
        }
    }

    /// <summary>Takes a request whose time limit has passed.</summary>
    public bool TryTakeDue(TimeSpan now, out T request) => _deadlines.TryTakeDue(now, out request);

    /// <summary>Gives a request its whole time limit once more.</summary>
    public void Prolong(T request, TimeSpan now) => _deadlines.Add(request, request.Run, now);

    /// <summary>Records that a request was answered or abandoned.</summary>
    public void End(T request)
    {
        request.IsOver = true;
        Count--;
        if (request.Place == Place.Slow)
            _slow--;
        if (request.Place is Place.Repeat or Place.SlowRepeat)
            _repeats--;
        if (request.Place == Place.SlowRepeat)
            _slowRepeats--;
    }

    /// <summary>
    /// Raises the bound of the request size after an answer, and lowers it after a failure of the whole request. A request that failed as a whole may have
    /// been too large for the time limit.
    /// </summary>
    public void Measure(in AnswerSummary answer, int keys)
    {
        if (answer.NotAnswered < keys)
            _size.Answered(keys);
        else if (answer.Outcome != Pacing.StoreRequestOutcome.Unreachable)
            _size.Failed(keys);
    }
}

/// <summary>The category of a request in flight.</summary>
internal enum Place : byte
{
    /// <summary>Counts against the law's limit.</summary>
    Held,

    /// <summary>Repeats a timed-out request; does not count against the law's limit.</summary>
    Repeat,

    /// <summary>Slow; does not count against the law's limit while the store answers others.</summary>
    Slow,

    /// <summary>A slow repeat.</summary>
    SlowRepeat,
}
