using Microsoft.Azure.Cosmos;
using Stout.Cosmos.Setup;

namespace Stout.Cosmos.Tests.Server;

/// <summary>The SDK's client of the server from npm, whose containers have batches.</summary>
internal sealed class ServerClient(CosmosClient inner, SemaphoreSlim oneAtATime) : CosmosClient
{
    public override Task<AccountProperties> ReadAccountAsync() => inner.ReadAccountAsync();

    public override Container GetContainer(string databaseId, string containerId) =>
        new ServerContainer(inner.GetContainer(databaseId, containerId), oneAtATime);

    public override Task<DatabaseResponse> CreateDatabaseIfNotExistsAsync(
        string id, int? throughput = null, RequestOptions? requestOptions = null, CancellationToken cancellationToken = default) =>
        inner.CreateDatabaseIfNotExistsAsync(id, throughput, requestOptions, cancellationToken);

    /// <summary>Options of a proxy to a database of this name on the server.</summary>
    /// <param name="connectionString">The server's.</param>
    /// <param name="database">The database; made when the store is opened.</param>
    /// <param name="oneAtATime">Shared by all clients of the database.</param>
    /// <param name="onWrite">Answers writes in the server's place, unless it returns null.</param>
    public static CosmosOptions Options(
        string connectionString, string database, SemaphoreSlim oneAtATime, Func<HttpRequestMessage, HttpResponseMessage?>? onWrite = null)
    {
        var options = new CosmosOptions
        {
            Partitions = 2,
            ConnectionMode = ConnectionMode.Gateway,
            HttpClientFactory = () => new HttpClient(new ServerTransport(onWrite)),
        };
        options.Containers.Add(new CosmosContainerOptions { ConnectionString = connectionString, Database = database });
        var plain = options with { };
        options.CreateClient = place => new ServerClient(AccountSetup.Connect(place, plain), oneAtATime);
        return options;
    }

    protected override void Dispose(bool disposing)
    {
        inner.Dispose();
        base.Dispose(disposing: false);
    }
}
