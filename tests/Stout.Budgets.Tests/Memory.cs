using System.Runtime;

namespace Stout.Budgets.Tests;

/// <summary>The process' live and allocated bytes. Nothing else may run beside the measurement.</summary>
internal static class Memory
{
    /// <summary>Bytes of everything that is alive.</summary>
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

    /// <summary>Bytes that all threads have allocated so far.</summary>
    public static long Allocated() => GC.GetTotalAllocatedBytes(precise: true);
}
