using System.Runtime.InteropServices;

namespace Stout.Experiments.Output;

/// <summary>The machine that an experiment on a real store ran on, as far as others have such a one.</summary>
internal static class Machine
{
    public static string Description
    {
        get
        {
            var system = OperatingSystem.IsLinux() ? "Linux" : OperatingSystem.IsMacOS() ? "macOS" : OperatingSystem.IsWindows() ? "Windows" : "another system";
            var memory = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / (double)(1L << 30);
            return FormattableString.Invariant($"{system}, {RuntimeInformation.ProcessArchitecture.ToString().ToLowerInvariant()}, {Environment.ProcessorCount} processors, {memory:0} GiB of memory");
        }
    }
}
