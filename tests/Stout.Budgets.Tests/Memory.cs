using System.Runtime;

namespace Stout.Budgets.Tests;

/// <summary>The process's live and allocated bytes. No other test may run during a measurement.</summary>
internal static class Memory
{
    /// <summary>The bytes of all live objects.</summary>
    public static long Live()
    {
        GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
        for (var i = 0; i < 3; i++)
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
            GC.WaitForPendingFinalizers();
        }

        return GC.GetTotalMemory(forceFullCollection: true);
    }

    /// <summary>The bytes that all threads have allocated so far.</summary>
    public static long Allocated() => GC.GetTotalAllocatedBytes(precise: true);
}
