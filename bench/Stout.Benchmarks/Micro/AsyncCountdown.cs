namespace Stout.Benchmarks.Micro;

/// <summary>Completes <see cref="Zero"/> when <see cref="Signal"/> was called a given number of times.</summary>
internal sealed class AsyncCountdown(int count)
{
    private readonly TaskCompletionSource _zero = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _left = count;

    public Task Zero => _zero.Task;

    public void Signal()
    {
        if (Interlocked.Decrement(ref _left) == 0)
            _zero.SetResult();
    }
}
