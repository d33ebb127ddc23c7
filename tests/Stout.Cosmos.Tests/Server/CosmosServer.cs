using System.Diagnostics;

namespace Stout.Cosmos.Tests.Server;

/// <summary>The Cosmos DB server from npm: the one in STOUT_COSMOS, or one that the tests start by the same script.</summary>
internal sealed class CosmosServer : IDisposable
{
    private static readonly Lazy<string> Common = new(
        () =>
        {
            if (Environment.GetEnvironmentVariable("STOUT_COSMOS") is { Length: > 0 } named)
                return named;
            var server = new CosmosServer();
            AppDomain.CurrentDomain.ProcessExit += (_, _) => server.Dispose();
            return server.Start();
        });

    private readonly string _folder = Directory.CreateTempSubdirectory("stout-cosmos-").FullName;

    /// <summary>The connection string of the server that all tests share.</summary>
    public static string ConnectionString => Common.Value;

    /// <summary>Starts the server. A restart uses the same port again.</summary>
    /// <returns>The server's connection string.</returns>
    public string Start() => Run("start");

    /// <summary>Kills the server by SIGKILL.</summary>
    public void Kill() => Run("kill");

    public void Dispose()
    {
        Run("stop");
        Directory.Delete(_folder, recursive: true);
    }

    private string Run(string command)
    {
        var info = new ProcessStartInfo("bash", [Script(), command, _folder]) { RedirectStandardOutput = true, RedirectStandardError = true };
        using var process = Process.Start(info)!;
        var errors = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd().Trim();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, $"{command}: {errors.Result}");
        return output;
    }

    private static string Script()
    {
        for (var directory = AppContext.BaseDirectory; directory is not null; directory = Path.GetDirectoryName(directory))
        {
            if (Path.Combine(directory, "tests", "servers", "cosmos.sh") is var script && File.Exists(script))
                return script;
        }

        throw new InvalidOperationException("tests/servers/cosmos.sh is not above the tests' own folder.");
    }
}
