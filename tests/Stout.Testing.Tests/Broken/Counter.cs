namespace Stout.Testing.Tests.Broken;

/// <summary>Counts calls, and makes a race likely: a caller can wait until another call comes in between.</summary>
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
