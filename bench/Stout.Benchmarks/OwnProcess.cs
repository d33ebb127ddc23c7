using System.Diagnostics;

namespace Stout.Benchmarks;

/// <summary>Makes the command that starts another process of this program.</summary>
internal static class OwnProcess
{
    public static ProcessStartInfo Command(params string[] arguments)
    {
        var start = new ProcessStartInfo(Environment.ProcessPath!);
        if (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet")
            start.ArgumentList.Add(typeof(OwnProcess).Assembly.Location);
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);
        return start;
    }
}
