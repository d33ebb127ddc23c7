using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Stout.Storage;

namespace Stout.PostgreSql.Tests;

public sealed class OptionsTests
{
    public static TheoryData<string, Action<PostgreSqlOptions>> BadOptions { get; } = new()
    {
        { "ConnectionStrings:0", options => options.ConnectionStrings = [] },
        { "ConnectionStrings:0", options => options.ConnectionStrings = ["Database=docs;Password=s3cr3t"] },
        { "ConnectionStrings:0", options => options.ConnectionStrings = ["s3cr3t"] },
        { "ConnectionStrings:0", options => options.ConnectionStrings = ["Host=a;Port=s3cr3t"] },
        { nameof(PostgreSqlOptions.Schema), options => options.Schema = "" },
        { nameof(PostgreSqlOptions.Schema), options => options.Schema = "a\0b" },
        { nameof(PostgreSqlOptions.Schema), options => options.Schema = new string('é', 32) },
        { nameof(PostgreSqlOptions.MaxConnections), options => options.MaxConnections = 1 },
        { nameof(PostgreSqlOptions.LockTimeout), options => options.LockTimeout = TimeSpan.Zero },
        { nameof(PostgreSqlOptions.Sweeping) + ":Retention", options => options.Sweeping.Retention = TimeSpan.Zero },
        { "Calls:Timeout", options => options.Calls.Timeout = TimeSpan.Zero },
    };

    [Theory]
    [MemberData(nameof(BadOptions), DisableDiscoveryEnumeration = true)]
    public void Option_out_of_its_range_is_named_and_no_secret_told(string option, Action<PostgreSqlOptions> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        var options = new PostgreSqlOptions { ConnectionStrings = ["Host=localhost"] };
        change(options);

        var error = Assert.Throws<InvalidOptionException>(() => new PostgreSqlStorage(options));

        Assert.Equal(option, error.Option);
        Assert.DoesNotContain("s3cr3t", error.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Options_come_from_the_configuration()
    {
        var services = new ServiceCollection();
        services.AddSingleton<IConfiguration>(new ConfigurationBuilder().AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["Stout:PostgreSql:ConnectionStrings:0"] = "Host=a",
            ["Stout:PostgreSql:ConnectionStrings:1"] = "Host=b",
            ["Stout:PostgreSql:Schema"] = "docs",
            ["Stout:PostgreSql:Calls:Timeout"] = "00:00:03",
        }).Build());
        services.AddStout().UsePostgreSql(options => options.MaxConnections = 3);
        await using var provider = services.BuildServiceProvider();

        var options = provider.GetRequiredService<IOptionsMonitor<PostgreSqlOptions>>().Get("");

        Assert.Equal(["Host=a", "Host=b"], options.ConnectionStrings);
        Assert.Equal(("docs", 3, TimeSpan.FromSeconds(3)), (options.Schema, options.MaxConnections, options.Calls.Timeout));
    }

    [Theory]
    [InlineData("Host=localhost", true)]
    [InlineData("Host=127.0.0.1:5433,[::1]:5432", true)]
    [InlineData("Host=/var/run/postgresql", true)]
    [InlineData("Host=db", false)]
    [InlineData("Host=db:5433", false)]
    [InlineData("Host=localhost,db", false)]
    [InlineData("Host=db;SSL Mode=Disable", false)]
    [InlineData("Host=db;SSL Mode=Prefer", false)]
    [InlineData("Host=db;SSL Mode=Require", true)]
    [InlineData("Host=db;SSL Mode=VerifyFull", true)]
    public void Connection_to_another_machine_counts_as_encrypted_where_it_has_to_be(string connectionString, bool isEncrypted) =>
        Assert.Equal(isEncrypted, new PostgreSqlStorage(connectionString).Capabilities.EncryptsTransport);
}
