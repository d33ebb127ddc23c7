using Azure;
using Azure.Core;
using Stout.AzureTables.Service;
using Stout.Storage;

namespace Stout.AzureTables.Tests;

/// <summary>The authentication that each kind of account adds to its requests.</summary>
public sealed class AccountTests
{
    [Fact]
    public async Task Account_key_signs_the_request_and_is_not_sent()
    {
        var sent = await AskAsync("AccountName=testaccount1;AccountKey=c2VjcmV0");

        Assert.StartsWith("SharedKeyLite testaccount1:", $"{sent.Headers.Authorization}", StringComparison.Ordinal);
        Assert.DoesNotContain("c2VjcmV0", $"{sent}", StringComparison.Ordinal);
        Assert.Equal("https://testaccount1.table.core.windows.net/stout()", sent.RequestUri!.GetLeftPart(UriPartial.Path));
    }

    [Theory]
    [InlineData("https://testaccount1.table.core.windows.net/?sv=2019-02-02&sig=a%2Bb")]
    [InlineData("TableEndpoint=https://testaccount1.table.core.windows.net/;SharedAccessSignature=sv=2019-02-02&sig=a%2Bb")]
    public async Task Shared_access_signature_goes_into_the_address(string account)
    {
        var sent = await AskAsync(account);

        Assert.Contains("sv=2019-02-02&sig=a%2Bb", sent.RequestUri!.Query, StringComparison.Ordinal);
        Assert.Contains("$filter=", Uri.UnescapeDataString(sent.RequestUri.Query), StringComparison.Ordinal);
        Assert.False(sent.Headers.Contains("Authorization"));
    }

    [Fact]
    public async Task Token_of_a_credential_is_sent_and_its_failure_is_told_apart()
    {
        var sent = await AskAsync("https://testaccount1.table.core.windows.net", new TestCredential(() => "t0ken"));
        Assert.Equal("Bearer t0ken", $"{sent.Headers.Authorization}");

        Assert.Equal(StoreErrorKind.Refused, await FailureAsync(new InvalidOperationException("no")));
        Assert.Equal(StoreErrorKind.Refused, await FailureAsync(new RequestFailedException(400, "no")));
        foreach (var status in new[] { 0, 408, 429, 500, 503 })
            Assert.Equal(StoreErrorKind.Unreachable, await FailureAsync(new RequestFailedException(status, "later")));

        static async Task<StoreErrorKind> FailureAsync(Exception error) => (await Assert.ThrowsAsync<StoreException>(
            () => AskAsync("https://testaccount1.table.core.windows.net", new TestCredential(() => throw error)))).Kind;
    }

    private static async Task<HttpRequestMessage> AskAsync(string account, TokenCredential? credential = null)
    {
        HttpRequestMessage? sent = null;
        using var wire = new Wire
        {
            Instead = request =>
            {
                sent = request;
                return Wire.Answer(200, """{"value":[]}""");
            },
        };
        var client = TableAccount.Connect(account, credential, wire.Transport);
        await new PartitionTable(client.GetTableClient("stout"), client.Uri, 0, new StoreCalls(new(), AzureTablesErrors.Classify)).FindAsync("row", null, TestContext.Current.CancellationToken);
        return sent!;
    }

    private sealed class TestCredential(Func<string> token) : TokenCredential
    {
        public override AccessToken GetToken(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            new(token(), DateTimeOffset.MaxValue);

        public override ValueTask<AccessToken> GetTokenAsync(TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            new(GetToken(requestContext, cancellationToken));
    }
}
