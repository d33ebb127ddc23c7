using System.Diagnostics;

namespace Stout.Tests.Shared;

/// <summary>A server for the tests, run by its script in tests/servers.</summary>
/// <param name="name">The script's name, without extension.</param>
/// <param name="folder">The folder of the server's data.</param>
internal sealed class ServerScript(string name, string folder)
{
    /// <summary>The exit code of a script whose server is not installed.</summary>
    private const int Missing = 3;

    /// <summary>xUnit takes an exception whose message begins with this text for a skip.</summary>
    public const string SkipToken = "$XunitDynamicSkip$";

    /// <summary>Starts the server with the data in its folder.</summary>
    /// <returns>The server's connection string.</returns>
    /// <exception cref="InvalidOperationException">The server does not start. xUnit takes it for a skip if the server is not installed.</exception>
    public async Task<string> StartAsync() => (await RunAsync("start")).Trim();

    /// <summary>Kills every process of the server by SIGKILL.</summary>
    public Task KillAsync() => RunAsync("kill");

    /// <summary>Shuts the server down in an orderly way.</summary>
    public Task StopAsync() => RunAsync("stop");

    private async Task<string> RunAsync(string command)
    {
        var start = new ProcessStartInfo("bash") { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var argument in (string[])[Path.Combine(Repository(), "tests", "servers", name + ".sh"), command, folder])
            start.ArgumentList.Add(argument);
        // Only tests/run.sh installs servers.
        start.Environment.TryAdd("STOUT_INSTALL", "no");
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode switch
        {
            0 => await output,
            Missing => throw new InvalidOperationException(SkipToken + (await errors).Trim()),
            _ => throw new InvalidOperationException($"{name}.sh {command} failed: {await errors}"),
        };
    }

    private static string Repository()
    {
        var directory = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(directory, "Stout.sln")))
            directory = Path.GetDirectoryName(directory) ?? throw new InvalidOperationException("The tests run outside the repository.");
        return directory;
    }
}
