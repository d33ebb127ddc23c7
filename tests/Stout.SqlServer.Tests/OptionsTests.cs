namespace Stout.SqlServer.Tests;

public sealed class OptionsTests
{
    public static TheoryData<string, Action<SqlServerOptions>> BadOptions { get; } = new()
    {
        { "ConnectionStrings:0", options => options.ConnectionStrings = [] },
        { "ConnectionStrings:1", options => options.ConnectionStrings.Add("") },
        { "ConnectionStrings:1", options => options.ConnectionStrings.Add("Server=") },
        { "ConnectionStrings:1", options => options.ConnectionStrings.Add("Server=here;Password=s3cr3t;Sever=there") },
        { "ConnectionStrings:1", options => options.ConnectionStrings.Add("Server=here;Password=s3cr3t;Encrypt=s3cr3t") },
        { nameof(SqlServerOptions.Schema), options => options.Schema = "" },
        { nameof(SqlServerOptions.Schema), options => options.Schema = "a]b" },
        { nameof(SqlServerOptions.Schema), options => options.Schema = "name\n" },
        { nameof(SqlServerOptions.Schema), options => options.Schema = new string('a', 65) },
        { nameof(SqlServerOptions.Sweeping) + ":Retention", options => options.Sweeping.Retention = TimeSpan.Zero },
        { nameof(SqlServerOptions.Sweeping) + ":Interval", options => options.Sweeping.Interval = TimeSpan.Zero },
        { nameof(SqlServerOptions.LockTimeout), options => options.LockTimeout = TimeSpan.Zero },
        { "Calls:Timeout", options => options.Calls.Timeout = TimeSpan.Zero },
    };

    [Theory]
    [MemberData(nameof(BadOptions), DisableDiscoveryEnumeration = true)]
    public void Option_out_of_its_range_is_named_and_no_secret_is(string option, Action<SqlServerOptions> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        var options = new SqlServerOptions { ConnectionStrings = ["Server=here"] };
        change(options);

        var error = Assert.Throws<InvalidOptionException>(() => new SqlServerStorage(options));

        Assert.Equal(option, error.Option);
        Assert.DoesNotContain("s3cr3t", error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Server=db", true)]
    [InlineData("Server=db;Encrypt=Strict", true)]
    [InlineData("Server=db;Encrypt=False", false)]
    [InlineData("Server=tcp:db,1433;Encrypt=Optional", false)]
    [InlineData("Server=.;Encrypt=False", true)]
    [InlineData("Server=.\\SQLEXPRESS;Encrypt=False", true)]
    [InlineData("Server=(localdb)\\MSSQLLocalDB;Encrypt=False", true)]
    [InlineData("Server=tcp:127.0.0.1,1433;Encrypt=False", true)]
    [InlineData("Server=lpc:db;Encrypt=False", true)]
    public void Connection_to_another_machine_counts_as_encrypted_where_it_has_to_be(string connectionString, bool isEncrypted) =>
        Assert.Equal(isEncrypted, new SqlServerStorage(connectionString).Capabilities.EncryptsTransport);
}
