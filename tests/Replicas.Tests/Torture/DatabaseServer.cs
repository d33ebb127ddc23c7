using Stout.Tests.Shared;

namespace Replicas.Tests.Torture;

/// <summary>A PostgreSQL server that only these tests use, so they may kill it. It starts with the first test.</summary>
public sealed class DatabaseServer : IAsyncLifetime
{
    /// <summary>The folder of the server's data and of the tests' files; deleted with the server.</summary>
    public string Folder { get; } = Directory.CreateTempSubdirectory("stout-replicas-").FullName;

    internal ServerScript Script => field ??= new ServerScript("postgres", Path.Combine(Folder, "server"));

    public ValueTask InitializeAsync() => ValueTask.CompletedTask;

    public async ValueTask DisposeAsync()
    {
        await Script.StopAsync();
        Directory.Delete(Folder, recursive: true);
    }
}
