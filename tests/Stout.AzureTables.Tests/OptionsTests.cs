namespace Stout.AzureTables.Tests;

public sealed class OptionsTests
{
    private const string Secret = "c2VjcmV0";

    public static TheoryData<string, Action<AzureTablesOptions>> BadOptions { get; } = new()
    {
        { "Accounts:0", options => options.Accounts = [] },
        { "Accounts:0", options => options.Accounts = [Secret] },
        { "Accounts:0", options => options.Accounts = ["AccountName=a"] },
        { "Accounts:0", options => options.Accounts = [$"AccountKey={Secret}"] },
        { "Accounts:0", options => options.Accounts = [$"AccountName=a;AccountKey={Secret}!"] },
        { "Accounts:0", options => options.Accounts = [$"AccountName=a;AccountKey={Secret};TableEndpoint=nowhere"] },
        { "Accounts:0", options => options.Accounts = ["https://a.table.core.windows.net"] },
        { nameof(AzureTablesOptions.Table), options => options.Table = "ab" },
        { nameof(AzureTablesOptions.Table), options => options.Table = "1abc" },
        { nameof(AzureTablesOptions.Table), options => options.Table = "a-bc" },
        { nameof(AzureTablesOptions.PartitionsPerAccount), options => options.PartitionsPerAccount = 0 },
        { nameof(AzureTablesOptions.PartitionsPerAccount), options => options.PartitionsPerAccount = 1_025 },
        { nameof(AzureTablesOptions.PartitionsPerAccount), options => (options.PartitionsPerAccount, options.Accounts) = (513, ["UseDevelopmentStorage=true", "UseDevelopmentStorage=true"]) },
        { nameof(AzureTablesOptions.Sweeping) + ":Retention", options => options.Sweeping.Retention = TimeSpan.Zero },
        { nameof(AzureTablesOptions.Sweeping) + ":Interval", options => options.Sweeping.Interval = TimeSpan.Zero },
        { nameof(AzureTablesOptions.Calls) + ":Timeout", options => options.Calls.Timeout = TimeSpan.Zero },
    };

    [Theory]
    [MemberData(nameof(BadOptions), DisableDiscoveryEnumeration = true)]
    public void Option_out_of_its_range_is_named_and_no_secret_is_said(string option, Action<AzureTablesOptions> change)
    {
        ArgumentNullException.ThrowIfNull(change);
        var options = new AzureTablesOptions { Accounts = ["UseDevelopmentStorage=true"] };
        change(options);

        var error = Assert.Throws<InvalidOptionException>(() => new AzureTablesStorage(options));

        Assert.Equal(option, error.Option);
        Assert.DoesNotContain(Secret, $"{error}", StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("UseDevelopmentStorage=true", "http://127.0.0.1:10002/devstoreaccount1")]
    [InlineData("DefaultEndpointsProtocol=https;AccountName=a;AccountKey=aaaa;EndpointSuffix=core.chinacloudapi.cn", "https://a.table.core.chinacloudapi.cn/")]
    [InlineData("AccountName=a;AccountKey=aaaa", "https://a.table.core.windows.net/")]
    [InlineData("TableEndpoint=https://a.example/;SharedAccessSignature=sv=2019-02-02&sig=x%3D", "https://a.example/")]
    [InlineData("https://a.table.core.windows.net/?sv=2019-02-02&sig=x%3D", "https://a.table.core.windows.net/")]
    public void Account_is_found_by_whatever_names_it(string account, string endpoint) =>
        Assert.Equal(endpoint, Service.TableAccount.Connect(account, credential: null).Uri.AbsoluteUri);

    [Theory]
    [InlineData("http://a.example/?sv=2019-02-02&sig=c2VjcmV0")]
    [InlineData("HTTP://127.0.0.1:10002/a?sig=c2VjcmV0")]
    [InlineData("TableEndpoint=http://a.example/;SharedAccessSignature=sv=2019-02-02&sig=c2VjcmV0")]
    public void Signature_is_not_sent_to_an_http_address_unless_it_is_allowed(string account)
    {
        var error = Assert.Throws<InvalidOptionException>(() => new AzureTablesStorage(account));
        Assert.Contains(nameof(AzureTablesOptions.AllowSasOverHttp), error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(Secret, $"{error}", StringComparison.Ordinal);

        _ = new AzureTablesStorage(new AzureTablesOptions { Accounts = [account], AllowSasOverHttp = true });
    }

    [Theory]
    [InlineData("UseDevelopmentStorage=true", true)]
    [InlineData("AccountName=a;AccountKey=aaaa", true)]
    [InlineData("AccountName=a;AccountKey=aaaa;TableEndpoint=http://127.0.0.1:10002/a", true)]
    [InlineData("AccountName=a;AccountKey=aaaa;TableEndpoint=http://azurite:10002/a", false)]
    [InlineData("DefaultEndpointsProtocol=http;AccountName=a;AccountKey=aaaa", false)]
    public void Address_on_another_machine_counts_as_encrypted_where_it_is_https(string account, bool isEncrypted) =>
        Assert.Equal(isEncrypted, new AzureTablesStorage(account).Capabilities.EncryptsTransport);
}
