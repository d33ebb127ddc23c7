using Azure.Core;
using Microsoft.Azure.Cosmos;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Stout.Cosmos.Tests;

public sealed class OptionsTests
{
    public static TheoryData<string, Action<CosmosOptions>> BadOptions { get; } = new()
    {
        { "Containers:0:ConnectionString", options => options.Containers.Clear() },
        { nameof(CosmosOptions.Containers), options => options.Containers.Add(options.Containers[0] with { }) },
        { nameof(CosmosOptions.Partitions), options => options.Partitions = 0 },
        { nameof(CosmosOptions.Partitions), options => options.Partitions = 1_025 },
        { nameof(CosmosOptions.ConnectionMode), options => options.ConnectionMode = (ConnectionMode)7 },
        { nameof(CosmosOptions.Sweeping) + ":Retention", options => options.Sweeping.Retention = TimeSpan.FromSeconds(1) },
        { nameof(CosmosOptions.Sweeping) + ":Interval", options => options.Sweeping.Interval = TimeSpan.Zero },
        { "Calls:Timeout", options => options.Calls.Timeout = TimeSpan.Zero },
        { nameof(CosmosOptions.CreateMissing), options => (options.Containers[0].Key, options.Containers[0].Credential) = (null, new NoCredential()) },
        { "Containers:0:Database", options => options.Containers[0].Database = "a/b" },
        { "Containers:0:Container", options => options.Containers[0].Container = "" },
        { "Containers:0:ConnectionString", options => options.Containers[0].ConnectionString = "AccountEndpoint=…" },
        { "Containers:0:ConnectionString", options => options.Containers[0].Endpoint = null },
        { "Containers:0:Endpoint", options => options.Containers[0].Endpoint = "http://localhost" },
        { "Containers:0:Key", options => options.Containers[0].Key = null },
        { "Containers:0:Key", options => options.Containers[0].Credential = new NoCredential() },
    };

    [Theory]
    [MemberData(nameof(BadOptions), DisableDiscoveryEnumeration = true)]
    public void Option_out_of_its_range_is_named(string option, Action<CosmosOptions> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        var options = new CosmosOptions();
        options.Containers.Add(new CosmosContainerOptions { Endpoint = "https://localhost", Key = "s3cr3t" });
        change(options);

        var error = Assert.Throws<InvalidOptionException>(() => new CosmosStorage(options));

        Assert.Equal(option, error.Option);
        Assert.DoesNotContain("s3cr3t", $"{error}", StringComparison.Ordinal);
    }

    [Fact]
    public async Task Connection_string_that_is_none_is_refused_and_not_repeated()
    {
        var options = new CosmosOptions();
        options.Containers.Add(new CosmosContainerOptions { ConnectionString = "AccountKey=s3cr3t" });
        await using var store = new CosmosStorage(options);

        var error = await Assert.ThrowsAsync<Storage.StoreException>(async () => await store.OpenAsync(TestContext.Current.CancellationToken));

        Assert.Equal(Storage.StoreErrorKind.Refused, error.Kind);
        Assert.DoesNotContain("s3cr3t", $"{error}", StringComparison.Ordinal);
    }

    [Fact]
    public void Options_come_from_the_configuration()
    {
        var services = new ServiceCollection().AddSingleton<IConfiguration>(new ConfigurationBuilder().AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["Stout:Cosmos:Containers:0:Endpoint"] = "https://localhost",
            ["Stout:Cosmos:Containers:0:Key"] = "a2V5",
            ["Stout:Cosmos:Containers:0:Database"] = "docs",
            ["Stout:Cosmos:Partitions"] = "8",
            ["Stout:Cosmos:ConnectionMode"] = "Gateway",
            ["Stout:Cosmos:Calls:Timeout"] = "00:00:03",
        }).Build());
        services.AddStout().UseCosmos();
        using var provider = services.BuildServiceProvider();

        var options = provider.GetRequiredService<IOptionsMonitor<CosmosOptions>>().Get("");

        Assert.Equal(("docs", 8, ConnectionMode.Gateway, TimeSpan.FromSeconds(3)), (options.Containers.Single().Database, options.Partitions, options.ConnectionMode, options.Calls.Timeout));
    }

    private sealed class NoCredential : TokenCredential
    {
        public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken) => throw new NotSupportedException();

        public override ValueTask<AccessToken> GetTokenAsync(TokenRequestContext requestContext, CancellationToken cancellationToken) => throw new NotSupportedException();
    }

    [Theory]
    [InlineData("AccountEndpoint=https://name.documents.azure.com;AccountKey=a2V5", true)]
    [InlineData("AccountEndpoint=http://localhost:8081;AccountKey=a2V5", true)]
    [InlineData("AccountEndpoint=http://cosmos:8081;AccountKey=a2V5", false)]
    public void Address_on_another_machine_counts_as_encrypted_where_it_is_https(string connectionString, bool isEncrypted)
    {
        var options = new CosmosOptions { Containers = { new CosmosContainerOptions { ConnectionString = connectionString } } };

        Assert.Equal(isEncrypted, new CosmosStorage(options).Capabilities.EncryptsTransport);
    }
}
