namespace Stout.Lanes;

/// <summary>
/// Admission: callers wait here while too much is undurable, in the order in which they came, and at most for <paramref name="patience"/>.
/// </summary>
/// <remarks>
/// An admitted caller takes room until its change is marked (then the change is counted), until it says that it changes nothing, or for
/// <see cref="Turn"/>. So one answer of the store admits as many callers as it has made room for, and room is never kept for a caller that
/// does not use it.
/// </remarks>
internal sealed class AdmissionControl(StoutOptions options, DependencyMap map, List<LaneCommand> commands, TimeSpan patience)
{
    /// <summary>Bounds how long an admitted caller keeps its room unused. Callers mark within microseconds; a busy pool may delay them by milliseconds.</summary>
    public static readonly TimeSpan Turn = TimeSpan.FromMilliseconds(10);

    private readonly DeadlineQueue<Admission> _waiting = new(patience, static (caller, _) => caller.Task.IsCompleted);

    // When each caller was admitted that has not used its room yet.
    private readonly Queue<TimeSpan> _admitted = new();
    private bool _closed;

    /// <summary>Whether a caller is admitted at once.</summary>
    public bool IsOpen => !_closed && _waiting.Next is null && Room > 0;

    /// <summary>Callers held, with some that have gone.</summary>
    public int Waiting => _waiting.Count;

    /// <summary>When time alone admits or refuses a caller; null if it won't.</summary>
    public TimeSpan? NextWake
    {
        get
        {
            if (_waiting.Next is not { } refusal)
                return null;
            return _admitted.TryPeek(out var since) && since + Turn < refusal ? since + Turn : refusal;
        }
    }

    // How many more callers may change something.
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

    /// <summary>An admitted caller has used its room: its change is counted, or there is none.</summary>
    public void EndAdmission() => _admitted.TryDequeue(out _);

    /// <summary>Admits as many as there is room for, in their order, and refuses those that have waited too long.</summary>
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
            _admitted.Enqueue(now);
            room--;
        }

        while (_waiting.TryTakeDue(now, out var caller))
            Answer(caller, new OverloadException(retryAfter));
    }

    /// <summary>Turns all callers away, from now on too.</summary>
    public void Close()
    {
        _closed = true;
        while (_waiting.TryTake(out var caller))
            Answer(caller, new StoppedException());
    }

    private void Answer(Admission caller, StoutException? failure) =>
        commands.Add(new LaneCommand(LaneCommandKind.CompleteAdmission, caller, Failure: failure));
}

/// <summary>A caller that asks for admission. The lane passes over it once it is cancelled.</summary>
internal sealed class Admission(bool changesSomething) : TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously)
{
    /// <summary>Whether it takes room; a fill makes nothing undurable.</summary>
    public bool ChangesSomething { get; } = changesSomething;
}
