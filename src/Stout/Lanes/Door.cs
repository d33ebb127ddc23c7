namespace Stout.Lanes;

/// <summary>Where callers wait while too much is undurable.</summary>
internal sealed class Door(StoutOptions options, DependencyMap map, List<LaneCommand> commands)
{
    private readonly Queue<TaskCompletionSource<bool>> _waiting = new();
    private bool _closed;

    /// <summary>Whether a caller can come in at once.</summary>
    public bool IsOpen => !_closed && _waiting.Count == 0 && Room > 0;

    // How many more keys and messages there is room for.
    private int Room => map.UndurableBytes >= options.MaxUndurableBytes
        ? 0
        : Math.Min(options.MaxDirtyKeys - map.UndurableKeys, options.MaxWaitingMessages - map.WaitingMessages);

    public void Admit(TaskCompletionSource<bool> caller, TimeSpan retryAfter)
    {
        if (_closed)
            Answer(caller, new StoppedException());
        else if (IsOpen)
            Answer(caller, null);
        else if (options.WhenOverloaded == WhenOverloaded.Wait)
            _waiting.Enqueue(caller);
        else
            Answer(caller, new OverloadException(retryAfter));
    }

    /// <summary>Lets in as many as there is room for; those who have gone are passed over.</summary>
    public void LetIn()
    {
        // Whoever waited no longer must not pile up while there is no room.
        while (_waiting.TryPeek(out var gone) && gone.Task.IsCompleted)
            _waiting.Dequeue();
        if (_waiting.Count == 0)
            return;
        for (var room = Room; room > 0 && _waiting.TryDequeue(out var caller);)
        {
            if (caller.Task.IsCompleted)
                continue;
            Answer(caller, null);
            room--;
        }
    }

    /// <summary>Turns everyone away, from now on too.</summary>
    public void Close()
    {
        _closed = true;
        while (_waiting.TryDequeue(out var caller))
            Answer(caller, new StoppedException());
    }

    private void Answer(TaskCompletionSource<bool> caller, StoutException? failure) =>
        commands.Add(new LaneCommand(LaneCommandKind.CompleteAdmission, caller, Failure: failure));
}
