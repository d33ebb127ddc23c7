using Stout.Tests.Shared;

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
    private readonly ServerScript _script;

    public CosmosServer() => _script = new ServerScript("cosmos", _folder);

    /// <summary>The connection string of the server that all tests share. A test that asks for it is skipped if there is no server.</summary>
    public static string ConnectionString => Common.Value;

    /// <summary>Starts the server. A restart uses the same port again.</summary>
    /// <returns>The server's connection string.</returns>
    public string Start() => _script.StartAsync().GetAwaiter().GetResult();

    /// <summary>Kills the server by SIGKILL.</summary>
    public void Kill() => _script.KillAsync().GetAwaiter().GetResult();

    public void Dispose()
    {
        _script.StopAsync().GetAwaiter().GetResult();
        Directory.Delete(_folder, recursive: true);
    }
}
