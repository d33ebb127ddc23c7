using System.Diagnostics;
using Stout.Argon.Experiments;

namespace Stout.Argon.Tests.Engine;

/// <summary>A process that writes growing numbers, flushes each number, and then prints the number, which is durable.</summary>
internal static class WriterProcess
{
    private static readonly string s_program = typeof(WriterCommand).Assembly.Location;

    /// <summary>Starts the process, waits for a count of numbers, and kills the process.</summary>
    /// <returns>The last number that the process printed.</returns>
    public static async Task<long> KillAsync(string folder, int numbers)
    {
        using var process = Start("dotnet", [s_program, "writer", folder]);
        var last = 0L;
        for (var i = 0; i < numbers; i++)
            last = long.Parse((await process.StandardOutput.ReadLineAsync())!, System.Globalization.CultureInfo.InvariantCulture);
        process.Kill();
        while (await process.StandardOutput.ReadLineAsync() is { Length: > 0 } line)
            last = long.TryParse(line, out var number) ? number : last;
        await process.WaitForExitAsync();
        return last;
    }

    /// <summary>Runs the process under strace, up to a number.</summary>
    /// <returns>The trace of the system calls.</returns>
    public static async Task<IReadOnlyList<string>> TraceAsync(string folder, long most)
    {
        var trace = Path.Combine(folder, "trace");
        using var process = Start("strace", ["-f", "-o", trace, "-e", "trace=fdatasync,write", "dotnet", s_program, "writer", Path.Combine(folder, "data"), "--most", $"{most}"]);
        await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.Equal(0, process.ExitCode);
        return await File.ReadAllLinesAsync(trace);
    }

    private static Process Start(string program, IEnumerable<string> arguments) =>
        Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true })!;
}
