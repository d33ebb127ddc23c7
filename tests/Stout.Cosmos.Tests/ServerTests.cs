using Microsoft.Extensions.Time.Testing;
using System.Buffers.Text;
using System.Text;
using System.Text.Json.Nodes;
using Azure.Core;
using Microsoft.Azure.Cosmos;
using Stout.Cosmos.Tests.Server;
using Stout.Storage;
using Stout.Testing;
using static Stout.Testing.StoreClient;

namespace Stout.Cosmos.Tests;

/// <summary>The real SDK with the server from npm.</summary>
public sealed class ServerTests : IDisposable
{
    private readonly string _database = $"test-{Guid.NewGuid():n}";
    private readonly SemaphoreSlim _oneAtATime = new(1);
    private readonly FakeTimeProvider _time = new();

    public void Dispose() => _oneAtATime.Dispose();

    [Fact]
    public async Task Server_that_is_killed_and_started_again_is_written_to_as_before()
    {
        using var server = new CosmosServer();
        var connectionString = server.Start();
        await using var store = await StoreClient.OpenAsync(new CosmosStorage(ServerClient.Options(connectionString, _database, _oneAtATime), _time));
        await store.PutAsync("before", Stamp.Absent, parts: [Part("", "x")]);
        var write = store.NewWrite("key", Stamp.Absent);
        server.Kill();
        for (var i = 0; i < 8; i++)
            Assert.Contains((await store.WriteAsync(write, Part("", "x"))).Kind, new[] { WriteOutcomeKind.Unknown, WriteOutcomeKind.Unreachable });

        // The server has lost everything with its memory. The test checks that the proxy, its breaker and the SDK recover.
        server.Start();
        await using (var again = new CosmosStorage(ServerClient.Options(connectionString, _database, _oneAtATime), _time))
            await again.OpenAsync(TestContext.Current.CancellationToken);
        WriteOutcomeKind outcome;
        var attempts = 0;
        do
        {
            // The breaker lets the next call through.
            _time.Advance(TimeSpan.FromSeconds(1));
            outcome = (await store.WriteAsync(write, Part("", "x"))).Kind;
        }
        while (outcome is WriteOutcomeKind.Unknown or WriteOutcomeKind.Unreachable && ++attempts < 20);

        Assert.Equal(WriteOutcomeKind.Committed, outcome);
        Assert.Equal("=x", Show(await store.ReadAsync("key")));
    }

    [Fact]
    public async Task Container_is_made_as_the_page_for_people_says()
    {
        var options = ServerClient.Options(CosmosServer.ConnectionString, _database, _oneAtATime);
        await using var store = await StoreClient.OpenAsync(new CosmosStorage(options, _time));
        using var client = Client(options);

        var made = (await client.GetContainer(_database, "stout").ReadContainerAsync(cancellationToken: TestContext.Current.CancellationToken)).Resource;

        Assert.Equal(("/pk", -1), (made.PartitionKeyPath, made.DefaultTimeToLive));
        Assert.Equal("/*", Assert.Single(made.IndexingPolicy.ExcludedPaths, path => path.Path == "/*").Path);
        Assert.Empty(made.IndexingPolicy.IncludedPaths);
    }

    [Fact]
    public async Task Items_are_as_the_page_for_people_says()
    {
        const string Key = "doc/1 \\#? é";
        var options = ServerClient.Options(CosmosServer.ConnectionString, _database, _oneAtATime);
        await using var store = await StoreClient.OpenAsync(new CosmosStorage(options, _time));
        await store.PutAsync(Key, Stamp.Absent, parts: [Part("", "self")]);
        using var client = Client(options);
        var container = client.GetContainer(_database, "stout");
        var partition = $"{store.PartitionOf(new PartitionKey(Key))}";

        var id = Base64Url.EncodeToString(Encoding.UTF8.GetBytes(Key)) + ".h";
        using var item = await container.ReadItemStreamAsync(id, new(partition), cancellationToken: TestContext.Current.CancellationToken);

        var json = JsonNode.Parse(item.Content)!;
        Assert.Equal("self", Encoding.UTF8.GetString(Convert.FromBase64String((string)json["v"]!)));
        Assert.Equal(64, ((string)json["s"]!).Length);
    }

    [Fact]
    public async Task Credential_that_gives_no_token_is_told_apart_and_not_quoted()
    {
        var options = ServerClient.Options(CosmosServer.ConnectionString, _database, _oneAtATime);
        options.CreateMissing = false;
        options.CreateClient = null;
        var endpoint = CosmosServer.ConnectionString.Split(';')[0]["AccountEndpoint=".Length..];
        options.Containers[0] = new CosmosContainerOptions { Endpoint = endpoint, Credential = new BrokenCredential(), Database = _database };
        await using var store = new CosmosStorage(options, _time);

        var error = await Assert.ThrowsAsync<StoreException>(async () => await store.OpenAsync(TestContext.Current.CancellationToken));

        Assert.Equal(StoreErrorKind.Unreachable, error.Kind);
        Assert.DoesNotContain("s3cr3t", $"{error}", StringComparison.Ordinal);
    }

    [Fact]
    public async Task Container_that_a_person_has_to_make_is_foreign_until_it_is_there()
    {
        var options = ServerClient.Options(CosmosServer.ConnectionString, _database, _oneAtATime);
        options.CreateMissing = false;
        await using (var store = new CosmosStorage(options, _time))
            Assert.Equal(StoreErrorKind.LayoutMismatch, (await Assert.ThrowsAsync<StoreException>(async () => await store.OpenAsync(TestContext.Current.CancellationToken))).Kind);

        using var client = Client(options);
        var database = await client.CreateDatabaseAsync(_database, cancellationToken: TestContext.Current.CancellationToken);
        await database.Database.CreateContainerAsync(new("stout", "/pk") { DefaultTimeToLive = -1 }, cancellationToken: TestContext.Current.CancellationToken);

        await using var opened = await StoreClient.OpenAsync(new CosmosStorage(options, _time));
        await opened.PutAsync("key", Stamp.Absent, parts: [Part("", "x")]);
        Assert.Equal("=x", Show(await opened.ReadAsync("key")));
    }

    private static CosmosClient Client(CosmosOptions options) =>
        new(CosmosServer.ConnectionString, new CosmosClientOptions { ConnectionMode = ConnectionMode.Gateway, HttpClientFactory = options.HttpClientFactory });

    private sealed class BrokenCredential : TokenCredential
    {
        public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken) => throw new InvalidOperationException("s3cr3t");

        public override ValueTask<AccessToken> GetTokenAsync(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            throw new InvalidOperationException("s3cr3t");
    }
}
