using System.Diagnostics;

namespace ReplicaUnderTest;

/// <summary>A wall clock that all processes of the machine share. It is its monotonic clock, since an administrator may set the machine's wall clock.</summary>
internal static class MachineClock
{
    private static readonly DateTimeOffset Origin = new(2020, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public static DateTimeOffset Now => Origin + Stopwatch.GetElapsedTime(0);
}
