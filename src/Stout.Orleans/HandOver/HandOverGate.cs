namespace Stout.Orleans.HandOver;

/// <summary>
/// Bounds the grains that are on their way to other silos at one time. Orleans sends up to 1,000 grains in one message, and each of them waits until all of
/// them are active.
/// </summary>
/// <param name="mostGrains">The largest number of grains.</param>
/// <param name="mostBytes">The largest size of their states. A grain with a larger one is on its way alone.</param>
internal sealed class HandOverGate(int mostGrains, long mostBytes)
{
    private readonly Lock _lock = new();
    private readonly Queue<(long Bytes, TaskCompletionSource Entered)> _waiting = [];
    private int _grains;
    private long _bytes;
    private bool _isOpen;

    /// <summary>Completes when a grain may leave. <see cref="Leave"/> ends its stay.</summary>
    /// <param name="bytes">The size of the grain's states.</param>
    public Task EnterAsync(long bytes)
    {
        lock (_lock)
        {
            if (_waiting.Count == 0 && TryEnterNeedsLock(bytes))
                return Task.CompletedTask;
            var entered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _waiting.Enqueue((bytes, entered));
            return entered.Task;
        }
    }

    /// <summary>Ends the stay of a grain that has entered.</summary>
    public void Leave(long bytes)
    {
        lock (_lock)
        {
            (_grains, _bytes) = (_grains - 1, _bytes - bytes);
            AdmitNeedsLock();
        }
    }

    /// <summary>Lets all grains through from now on.</summary>
    public void Open()
    {
        lock (_lock)
        {
            _isOpen = true;
            AdmitNeedsLock();
        }
    }

    private void AdmitNeedsLock()
    {
        while (_waiting.TryPeek(out var next) && TryEnterNeedsLock(next.Bytes))
            _waiting.Dequeue().Entered.SetResult();
    }

    private bool TryEnterNeedsLock(long bytes)
    {
        if (!_isOpen && _grains > 0 && (_grains >= mostGrains || _bytes + bytes > mostBytes))
            return false;
        (_grains, _bytes) = (_grains + 1, _bytes + bytes);
        return true;
    }
}
