using Microsoft.Azure.Cosmos;
using Stout.Cosmos.Setup;

namespace Stout.Cosmos.Tests.Server;

/// <summary>The SDK's client of the server from npm. Its containers also execute batches, which the server itself lacks.</summary>
internal sealed class ServerClient(CosmosClient inner, SemaphoreSlim oneAtATime) : CosmosClient
{
    public override Task<AccountProperties> ReadAccountAsync() => inner.ReadAccountAsync();

    public override Container GetContainer(string databaseId, string containerId) =>
        new ServerContainer(inner.GetContainer(databaseId, containerId), oneAtATime);

    public override Task<DatabaseResponse> CreateDatabaseIfNotExistsAsync(
        string id, int? throughput = null, RequestOptions? requestOptions = null, CancellationToken cancellationToken = default) =>
        inner.CreateDatabaseIfNotExistsAsync(id, throughput, requestOptions, cancellationToken);

    /// <summary>The options of a proxy to a database on the server.</summary>
    /// <param name="connectionString">The server's connection string.</param>
    /// <param name="database">The database's name; the database is created when the store is opened.</param>
    /// <param name="oneAtATime">Held during each request; shared by all clients of the database.</param>
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
