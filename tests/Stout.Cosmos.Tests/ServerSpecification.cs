using Stout.Cosmos.Tests.Server;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Cosmos.Tests;

/// <summary>
/// The promises before the server from npm, which does point operations, ETags, conditions and queries; its batches are a stand-in's. Each test has a
/// database of its own.
/// </summary>
public sealed class ServerSpecification : StorageProxySpecification, IDisposable
{
    private readonly string _database = $"spec-{Guid.NewGuid():n}";
    private readonly SemaphoreSlim _oneAtATime = new(1);

    // Its queries look at every item of a container.
    protected override int RandomOperations => 150;

    public void Dispose() => _oneAtATime.Dispose();

    protected override IStorageProxy Connect(TimeProvider time) =>
        new CosmosStorage(ServerClient.Options(CosmosServer.ConnectionString, _database, _oneAtATime), time);
}
