using Microsoft.Azure.Cosmos;
using Stout.Cosmos;
using Stout.Storage;

namespace Stout.Benchmarks.Stores;

/// <summary>Cosmos DB. A plain write is one request that upserts one item. Stout needs a server with transactional batches.</summary>
internal sealed class CosmosStore(string connection) : IComparedStore
{
    private readonly string _database = $"bench-{Guid.NewGuid():N}";
    private readonly CosmosClient _client = new(connection, new CosmosClientOptions
    {
        ConnectionMode = ConnectionMode.Gateway,
        EnableContentResponseOnWrite = false,
        HttpClientFactory = NewHttpClient,
    });

    private Container? _plain;
    private int _proxies;

    public string Name => "Cosmos DB";

    public IStorageProxy Connect()
    {
        var options = new CosmosOptions { Partitions = 1, ConnectionMode = ConnectionMode.Gateway, HttpClientFactory = NewHttpClient };
        options.Containers.Add(new CosmosContainerOptions { ConnectionString = connection, Database = _database, Container = $"stout-{_proxies++}" });
        return new CosmosStorage(options);
    }

    public async Task PreparePlainAsync(int writers)
    {
        var database = await _client.CreateDatabaseIfNotExistsAsync(_database);
        _plain = (await database.Database.CreateContainerIfNotExistsAsync("plain", "/pk")).Container;
    }

    public async Task WritePlainAsync(string key, ReadOnlyMemory<byte> value)
    {
        using var item = new MemoryStream();
        await using (var json = new System.Text.Json.Utf8JsonWriter(item))
        {
            json.WriteStartObject();
            json.WriteString("id", key);
            json.WriteString("pk", "0");
            json.WriteBase64String("value", value.Span);
            json.WriteEndObject();
        }

        item.Position = 0;
        using var answer = await _plain!.UpsertItemStreamAsync(item, new Microsoft.Azure.Cosmos.PartitionKey("0"));
        answer.EnsureSuccessStatusCode();
    }

    public async Task<bool> AnswersAsync()
    {
        try
        {
            await _client.ReadAccountAsync();
            return true;
        }
        catch (Exception error) when (error is CosmosException or HttpRequestException)
        {
            return false;
        }
    }

    public async ValueTask DisposeAsync()
    {
        using var answer = await _client.GetDatabase(_database).DeleteStreamAsync();
        _client.Dispose();
    }

    // Accepts the self-signed certificate of an emulator on this machine.
    private static HttpClient NewHttpClient() => new(new SocketsHttpHandler
    {
        SslOptions = { RemoteCertificateValidationCallback = static (stream, _, _, errors) => errors == 0 || stream is System.Net.Security.SslStream { TargetHostName: "127.0.0.1" or "localhost" } },
    });
}
