using System.Reflection;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Stout.AzureTables;
using Stout.Cosmos;
using Stout.Documents;
using Stout.Hosting.Tests.Support;
using Stout.Pacing;
using Stout.PostgreSql;
using Stout.Sqlite;
using Stout.SqlServer;
using Stout.Storage;
using Stout.Testing;

namespace Stout.Hosting.Tests;

/// <summary>Stores, clients and laws copy their options: a setting that changes afterwards has no effect.</summary>
public sealed class OptionsCopyTests
{
    private static readonly Assembly[] Packages =
    [
        typeof(StoutOptions).Assembly, typeof(SqliteOptions).Assembly, typeof(PostgreSqlOptions).Assembly, typeof(SqlServerOptions).Assembly,
        typeof(AzureTablesOptions).Assembly, typeof(CosmosOptions).Assembly, typeof(FaultyStoreOptions).Assembly,
    ];

    private static readonly (object Options, Func<object, object> Make)[] Makers =
    [
        Maker(new SqliteOptions { Path = "never-made.db" }, static options => new SqliteStorage(options)),
        Maker(new PostgreSqlOptions { ConnectionStrings = ["Host=localhost"] }, static options => new PostgreSqlStorage(options)),
        Maker(new SqlServerOptions { ConnectionStrings = ["Server=localhost"] }, static options => new SqlServerStorage(options)),
        Maker(new AzureTablesOptions { Accounts = ["UseDevelopmentStorage=true"] }, static options => new AzureTablesStorage(options)),
        Maker(
            new CosmosOptions { Containers = [new CosmosContainerOptions { Endpoint = "https://localhost", Key = "a2V5" }] },
            static options => new CosmosStorage(options)),
        Maker(new FaultyStoreOptions(), static options => new FaultyStore(new InMemoryStore(), options)),
        Maker(new DelayLawParameters(), static parameters => new DelayLaw(parameters)),
        Maker(new DelayLawParameters(), static parameters => PacingLaws.Delay(parameters)),
        Maker(new WindowLawParameters(), static parameters => new WindowLaw(parameters)),
        Maker(new WindowLawParameters(), static parameters => PacingLaws.Window(parameters)),
        Maker(new NoBatchingLawParameters(), static parameters => new NoBatchingLaw(parameters)),
        Maker(new NoBatchingLawParameters(), static parameters => PacingLaws.NoBatching(parameters)),
        Maker(new FixedIntervalLawParameters(), static parameters => new FixedIntervalLaw(parameters)),
        Maker(new FixedIntervalLawParameters(), static parameters => PacingLaws.FixedInterval(parameters)),
        Maker(new PaperLawParameters(), static parameters => new PaperLaw(parameters)),
        Maker(new PaperLawParameters(), static parameters => PacingLaws.Paper(parameters)),
    ];

    public static TheoryData<Type> Types => [.. Packages.SelectMany(KeptOptions.TypesOf)];

    public static TheoryData<int> Numbers => [.. Enumerable.Range(0, Makers.Length)];

    private static CancellationToken Test => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(Types))]
    public void Copy_of_options_has_every_setting_and_no_object_that_can_change(Type type)
    {
        var options = KeptOptions.Filled(type);

        var copy = KeptOptions.CopyOf(options);

        Assert.Empty(KeptOptions.Differences(options, copy));
        Assert.Empty(KeptOptions.KeptBy(copy, options));
    }

    [Fact]
    public void Every_package_with_options_is_looked_at() => Assert.InRange(Types.Count, 18, 100);

    [Theory]
    [MemberData(nameof(Numbers))]
    public void Options_that_change_after_the_constructor_have_no_effect(int number)
    {
        var (options, make) = Makers[number];

        Assert.Empty(KeptOptions.KeptBy(make(options), options));
    }

    [Fact]
    public async Task Options_that_change_after_a_client_has_opened_have_no_effect()
    {
        var options = new DocumentStoreOptions();
        var collection = new CollectionOptions<string>();

        await using var documents = await DocumentStore.OpenAsync(new InMemoryStore(), options, cancellationToken: Test);
        await using var client = await StoutClient.OpenAsync(new InMemoryStore(), new Diagnostics.OneByteEach(), options.Stout, cancellationToken: Test);

        Assert.Empty(KeptOptions.KeptBy(documents.GetCollection("notes", collection), collection));
        Assert.Empty(KeptOptions.KeptBy(documents, options));
        Assert.Empty(KeptOptions.KeptBy(client, options.Stout));
    }

    [Fact]
    public async Task Options_of_a_host_stay_as_they_are_and_their_later_changes_have_no_effect()
    {
        using var host = TestHost.Build(
            services =>
            {
                services.AddStout().UseInMemory();
                services.AddStoutClient<Diagnostics.OneByteEach>("client").UseInMemory();
            },
            new RecordingLog());
        await host.StartAsync(Test);
        var documents = host.Services.GetRequiredService<IOptionsMonitor<DocumentStoreOptions>>().CurrentValue.Stout;
        var client = host.Services.GetRequiredService<IOptionsMonitor<StoutOptions>>().Get("client");

        Assert.All([documents, client], static options => Assert.Equal((null, "default"), (options.Diagnostics.LoggerFactory, options.Diagnostics.ClientName)));
        (documents.MaxDirtyKeys, client.MaxDirtyKeys) = (7, 7);
        Assert.NotEqual(7, host.Services.GetRequiredService<DocumentStore>().Client.Options.MaxDirtyKeys);
        Assert.NotEqual(7, host.Services.GetRequiredKeyedService<StoutClient>("client").Options.MaxDirtyKeys);
        await host.StopAsync(Test);
    }

    private static (object Options, Func<object, object> Make) Maker<T>(T options, Func<T, object> make)
        where T : class => (options, kept => make((T)kept));
}
