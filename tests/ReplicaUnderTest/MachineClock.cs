using System.Diagnostics;

namespace ReplicaUnderTest;

/// <summary>A clock that all processes of the machine share. It is the monotonic clock, since an administrator may set the wall clock.</summary>
internal static class MachineClock
{
    private static readonly DateTimeOffset Origin = new(2020, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public static DateTimeOffset Now => Origin + Stopwatch.GetElapsedTime(0);
}
