namespace Stout.Testing.Tests.Broken;

/// <summary>Makes a race likely: a wait gives other callers the time to come between.</summary>
internal sealed class Counter
{
    private int _count;

    public void Add() => Interlocked.Increment(ref _count);

    public async Task WaitForOthersAsync()
    {
        var count = Volatile.Read(ref _count);
        for (var turn = 0; turn < 20_000 && count == Volatile.Read(ref _count); turn++)
            await Task.Yield();
    }
}
