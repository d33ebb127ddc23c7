using System.Diagnostics;
using Npgsql;

namespace Stout.Benchmarks.Peers;

/// <summary>Servers of one run: those that the environment names, or else those that the repository's scripts start on free loopback ports.</summary>
internal sealed class TestServers(TemporaryFolder folder) : IAsyncDisposable
{
    // The size of each peer's pool; further writers wait for a connection. The server has 2 processors, and the pools of three peers must fit its 200
    // connections.
    private const int Connections = 50;

    private readonly Dictionary<string, string> _started = [];

    /// <summary>The connection string of PostgreSQL.</summary>
    public async Task<string> PostgreSqlAsync() =>
        new NpgsqlConnectionStringBuilder(await FindAsync("STOUT_POSTGRES", "postgres")) { MaxPoolSize = Connections }.ConnectionString;

    /// <summary>The address of Redis.</summary>
    public Task<string> RedisAsync() => FindAsync("STOUT_REDIS", "redis");

    public async ValueTask DisposeAsync()
    {
        foreach (var name in _started.Keys)
            await RunScriptAsync(name, "stop");
    }

    private async Task<string> FindAsync(string variable, string name)
    {
        if (Environment.GetEnvironmentVariable(variable) is { Length: > 0 } named)
            return named;
        if (!_started.TryGetValue(name, out var answer))
            _started.Add(name, answer = await RunScriptAsync(name, "start"));
        return answer;
    }

    private async Task<string> RunScriptAsync(string name, string verb)
    {
        using var script = Process.Start(new ProcessStartInfo("bash", [FindScript(name), verb, folder.File(name)]) { RedirectStandardOutput = true })!;
        var answer = await script.StandardOutput.ReadToEndAsync();
        await script.WaitForExitAsync();
        return script.ExitCode == 0 ? answer.Trim() : throw new InvalidOperationException($"{name} did not {verb}.");
    }

    private static string FindScript(string name)
    {
        for (var place = new DirectoryInfo(AppContext.BaseDirectory); place is not null; place = place.Parent)
        {
            var script = Path.Combine(place.FullName, "tests", "servers", name + ".sh");
            if (File.Exists(script))
                return script;
        }

        throw new FileNotFoundException($"tests/servers/{name}.sh is in no folder above the program.");
    }
}
