using System.Runtime.InteropServices;

namespace Stout.Experiments.Output;

/// <summary>Describes the machine of an experiment on a real store, in general terms.</summary>
internal static class Machine
{
    private const string LoadAverages = "/proc/loadavg";
    private const int OverFiveMinutes = 1;

    public static string Description
    {
        get
        {
            var system = OperatingSystem.IsLinux() ? "Linux" : OperatingSystem.IsMacOS() ? "macOS" : OperatingSystem.IsWindows() ? "Windows" : "another system";
            var memory = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / (double)(1L << 30);
            return FormattableString.Invariant($"{system}, {RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant()}, {Environment.ProcessorCount} processors, {memory:0} GiB of memory{Load}");
        }
    }

    // A load average far above the number of processors shows that other work disturbed the run.
    private static string Load => OperatingSystem.IsLinux() ? $"; its load average was {File.ReadAllText(LoadAverages).Split(' ')[OverFiveMinutes]} in the end" : "";
}
