using Stout.Tests.Shared;

namespace Replicas.Tests.Torture;

/// <summary>A PostgreSQL server that only these tests use, so they may kill it.</summary>
public sealed class DatabaseServer : IAsyncLifetime
{
    /// <summary>The folder of the server's data and of the tests' files; deleted with the server.</summary>
    public string Folder { get; } = Directory.CreateTempSubdirectory("stout-replicas-").FullName;

    internal ServerScript Script => field ??= new ServerScript("postgres", Path.Combine(Folder, "server"));

    public async ValueTask InitializeAsync() => await Script.StartAsync();

    public async ValueTask DisposeAsync()
    {
        await Script.StopAsync();
        Directory.Delete(Folder, recursive: true);
    }
}
