namespace Stout.Tests;

/// <summary>Measures the bytes that code allocates on the thread that runs it.</summary>
internal static class Allocation
{
    /// <summary>
    /// The fewest bytes that one of several runs allocated. A garbage collection that another thread causes ends this thread's allocation buffer early, and
    /// then the rest of the buffer counts as allocated. The code's own allocations count in every run.
    /// </summary>
    /// <param name="runs">The number of runs; at least 1.</param>
    /// <param name="code">The code.</param>
    /// <param name="prepare">Called before each run; its allocations are not counted.</param>
    public static async Task<long> LeastAsync(int runs, Action code, Func<ValueTask> prepare)
    {
        var least = long.MaxValue;
        for (var i = 0; i < runs; i++)
        {
            await prepare();
            least = Math.Min(least, Of(code));
        }

        return least;
    }

    /// <summary>The fewest bytes that one of several runs allocated, without preparation (see <see cref="LeastAsync"/>).</summary>
    public static long Least(int runs, Action code)
    {
        var least = long.MaxValue;
        for (var i = 0; i < runs; i++)
            least = Math.Min(least, Of(code));
        return least;
    }

    private static long Of(Action code)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        code();
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }
}
