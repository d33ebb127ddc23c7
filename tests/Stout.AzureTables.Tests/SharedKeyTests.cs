using Stout.AzureTables.Rest;
using Stout.Storage;

namespace Stout.AzureTables.Tests;

/// <summary>Signatures, against what openssl makes of the string that the service's documentation says is signed.</summary>
public sealed class SharedKeyTests
{
    private const string Key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

    /// <summary>printf 'VERB\n\ntype\ndate\n/account/path' | openssl dgst -sha256 -mac HMAC -macopt hexkey:… -binary | base64.</summary>
    [Theory]
    [InlineData("POST\n\nmultipart/mixed; boundary=batch_stout\nSun, 11 Oct 2009 19:52:39 GMT\n/testaccount1/$batch", "du2KmEZb3+qLPV3Q9YxzjKejFJpsDgtZD/Ssmv7h5s8=")]
    [InlineData("GET\n\n\nSun, 11 Oct 2009 19:52:39 GMT\n/testaccount1/stout()", "nXIr2gxn21SO12Ypu/8uUL7gnAhteIelbK5GrAcT28Q=")]
    public void String_is_signed_as_another_program_signs_it(string text, string signature) =>
        Assert.Equal(signature, new SharedKeyPolicy("testaccount1", Convert.FromBase64String(Key)).Sign(text));

    [Fact]
    public async Task Request_carries_the_signature_of_its_verb_type_date_and_path()
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
        var account = TableAccount.Parse($"AccountName=testaccount1;AccountKey={Key}", credential: null);
        var service = new TableService(account, "stout", wire.Transport);

        await service.QueryAsync(RowQuery.One("0000", "row"), TestContext.Current.CancellationToken);

        var date = Assert.Single(sent!.Headers.GetValues("x-ms-date"));
        var policy = new SharedKeyPolicy("testaccount1", Convert.FromBase64String(Key));
        Assert.Equal($"SharedKey testaccount1:{policy.Sign($"GET\n\n\n{date}\n/testaccount1/stout()")}", Assert.Single(sent.Headers.GetValues("Authorization")));
        Assert.Equal("https://testaccount1.table.core.windows.net/stout()", sent.RequestUri!.GetLeftPart(UriPartial.Path));
    }

    [Fact]
    public async Task Shared_access_signature_goes_into_the_address()
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
        var account = TableAccount.Parse("https://testaccount1.table.core.windows.net/?sv=2019-02-02&sig=a%2Bb", credential: null);

        await new TableService(account, "stout", wire.Transport).QueryAsync(RowQuery.One("0000", "row"), TestContext.Current.CancellationToken);

        Assert.EndsWith("&sv=2019-02-02&sig=a%2Bb", sent!.RequestUri!.Query, StringComparison.Ordinal);
        Assert.False(sent.Headers.Contains("Authorization"));
    }

    [Fact]
    public async Task Token_of_a_credential_is_sent_and_its_failure_is_told_apart()
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

        await Query(new TestCredential(() => "t0ken"));
        Assert.Equal("Bearer t0ken", $"{sent!.Headers.Authorization}");

        var refusal = await Assert.ThrowsAsync<StoreException>(() => Query(new TestCredential(() => throw new InvalidOperationException("no"))));
        Assert.Equal(StoreErrorKind.Refused, refusal.Kind);
        var outage = await Assert.ThrowsAsync<StoreException>(() => Query(new TestCredential(() => throw new Azure.RequestFailedException(503, "later"))));
        Assert.Equal(StoreErrorKind.Unreachable, outage.Kind);

        Task Query(Azure.Core.TokenCredential credential) => new TableService(
            TableAccount.Parse("https://testaccount1.table.core.windows.net", credential), "stout", wire.Transport)
            .QueryAsync(RowQuery.One("0000", "row"), TestContext.Current.CancellationToken).AsTask();
    }

    private sealed class TestCredential(Func<string> token) : Azure.Core.TokenCredential
    {
        public override Azure.Core.AccessToken GetToken(Azure.Core.TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            new(token(), DateTimeOffset.MaxValue);

        public override ValueTask<Azure.Core.AccessToken> GetTokenAsync(Azure.Core.TokenRequestContext requestContext, CancellationToken cancellationToken) =>
            new(GetToken(requestContext, cancellationToken));
    }
}
