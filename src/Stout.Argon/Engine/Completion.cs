namespace Stout.Argon.Engine;

/// <summary>Waits for a request that did not complete at once.</summary>
internal sealed class Completion
{
    private readonly object _gate = new();
    private readonly TaskCompletionSource? _task;
    private bool _done;

    /// <param name="blocking">Whether a thread waits instead of a task.</param>
    public Completion(bool blocking)
    {
        if (!blocking)
            _task = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    public Task Task => _task!.Task;

    public void Set()
    {
        if (_task is not null)
        {
            _task.SetResult();
            return;
        }

        lock (_gate)
        {
            _done = true;
            Monitor.PulseAll(_gate);
        }
    }

    public void Wait()
    {
        lock (_gate)
        {
            while (!_done)
                Monitor.Wait(_gate);
        }
    }
}
