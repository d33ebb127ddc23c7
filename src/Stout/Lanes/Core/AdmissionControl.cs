namespace Stout.Lanes.Core;

/// <summary>
/// The queue of callers that wait for admission while too much is undurable. Callers are admitted in their order; after <paramref name="patience"/> a
/// caller is refused.
/// </summary>
/// <remarks>
/// A caller admitted from the queue reserves room until its change is marked or it reports that it changes nothing, at most for <see cref="Turn"/>. An
/// answer of the store therefore admits as many callers as it has made room for, and unused room is free again soon.
/// </remarks>
internal sealed class AdmissionControl(StoutOptions options, DependencyMap map, List<LaneCommand> commands, TimeSpan patience)
{
    /// <summary>
    /// The longest time that an admitted caller reserves unused room. Callers mark their change within microseconds; a busy thread pool may delay them by
    /// milliseconds.
    /// </summary>
    public static readonly TimeSpan Turn = TimeSpan.FromMilliseconds(10);

    private readonly DeadlineQueue<Admission> _waiting = new(patience, static (caller, _) => caller.IsOver);

    // The admission times of callers that have not used their room yet.
    private readonly Queue<TimeSpan> _admitted = new();
    private bool _closed;

    /// <summary>Whether a new caller is admitted without waiting.</summary>
    public bool IsOpen => !_closed && _waiting.Next is null && Room > 0;

    /// <summary>The length of the queue, including cancelled callers that the lane has not removed yet.</summary>
    public int Waiting => _waiting.Count;

    /// <summary>The time at which the next caller times out or the next reservation ends; null if no caller waits.</summary>
    public TimeSpan? NextWake
    {
        get
        {
            if (_waiting.Next is not { } refusal)
                return null;
            return _admitted.TryPeek(out var since) && since + Turn < refusal ? since + Turn : refusal;
        }
    }

    // The number of changing callers that the bounds still allow.
    private long Room
    {
        get
        {
            var bytes = options.MaxUndurableBytes - map.UndurableBytes;
            if (bytes <= 0)
                return 0;
            var room = Math.Min(options.MaxDirtyKeys - map.UndurableKeys, options.MaxWaitingMessages - map.WaitingMessages);
            return Math.Min(room, Math.Max(1, bytes / Math.Max(1, map.BytesOfAKey)));
        }
    }

    public void Admit(Admission caller, TimeSpan retryAfter, TimeSpan now)
    {
        if (_closed)
            Answer(caller, new StoppedException());
        else if (IsOpen)
            Answer(caller, null);
        else if (options.OverloadBehavior == OverloadBehavior.Wait)
            _waiting.Add(caller, 0, now);
        else
            Answer(caller, new OverloadException(retryAfter));
    }

    /// <summary>Ends one reservation, the oldest, after a caller has marked its change or has reported that it changes nothing.</summary>
    public void EndAdmission() => _admitted.TryDequeue(out _);

    /// <summary>Admits callers in their order while there is room, and refuses callers that have waited too long.</summary>
    public void LetIn(TimeSpan retryAfter, TimeSpan now)
    {
        while (_admitted.TryPeek(out var since) && since + Turn <= now)
            _admitted.Dequeue();
        if (_waiting.Next is null)
            return;
        for (var room = Room - _admitted.Count; room > 0 && _waiting.TryTake(out var caller);)
        {
            Answer(caller, null);
            if (!caller.ChangesSomething)
                continue;
            caller.HasReserved = true;
            _admitted.Enqueue(now);
            room--;
        }

        while (_waiting.TryTakeDue(now, out var caller))
            Answer(caller, new OverloadException(retryAfter));
    }

    /// <summary>Processes the cancellation of a caller. A caller that was admitted meanwhile takes nothing, so its room is free again.</summary>
    public void Cancel(Admission caller)
    {
        caller.IsOver = true;
        if (!caller.HasReserved)
            return;
        caller.HasReserved = false;
        EndAdmission();
    }

    /// <summary>Refuses all waiting callers and all later ones.</summary>
    public void Close()
    {
        _closed = true;
        while (_waiting.TryTake(out var caller))
            Answer(caller, new StoppedException());
    }

    private void Answer(Admission caller, StoutException? failure)
    {
        caller.IsOver = true;
        commands.Add(new LaneCommand(LaneCommandKind.CompleteAdmission, caller, Failure: failure));
    }
}
