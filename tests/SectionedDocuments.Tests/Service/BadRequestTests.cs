using System.Net;
using System.Net.Http.Headers;
using System.Text;
using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Service;

public sealed class BadRequestTests(SharedService shared) : IClassFixture<SharedService>
{
    private const string Section = "documents/bad/sections/s";
    private readonly RunningService _service = shared.Service;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(new byte[] { 0xFF, 0xFE })]
    [InlineData(new byte[] { 0x61, 0xC3 })]
    [InlineData(new byte[] { 0xED, 0xA0, 0x80 })]
    public async Task A_body_that_is_not_UTF8_is_refused(byte[] body)
    {
        using var answer = await _service.Http.PutAsync(Section, new ByteArrayContent(body), Cancellation);
        await Problem.OfAsync(answer, HttpStatusCode.BadRequest, "body-not-utf8");
    }

    [Theory]
    [InlineData("GET", "/")]
    [InlineData("GET", "/documents/good")]
    [InlineData("PUT", "/documents/good/sections/s")]
    public async Task A_foreign_host_name_is_refused(string method, string target)
    {
        // Otherwise a page of another site could make its host name resolve to the service (DNS rebinding), and then read and write documents.
        Assert.Equal(400, (await RawHttp.SendAsync(_service.Address, method, target, host: "attacker.example")).Status);
        Assert.NotEqual(400, (await RawHttp.SendAsync(_service.Address, method, target, host: "localhost")).Status);
    }

    [Fact]
    public async Task A_body_in_another_encoding_is_refused()
    {
        using var answer = await _service.Http.PutAsync(Section, new StringContent("ö", Encoding.Latin1), Cancellation);
        await Problem.OfAsync(answer, HttpStatusCode.UnsupportedMediaType, "unsupported-charset");
    }

    [Theory]
    [InlineData(null)]
    [InlineData("text/plain")]
    [InlineData("text/plain; charset=\"UTF-8\"")]
    [InlineData("application/x-www-form-urlencoded")]
    public async Task A_body_without_another_encoding_is_taken_as_UTF8(string? contentType)
    {
        var body = new ByteArrayContent("öé"u8.ToArray());
        body.Headers.ContentType = contentType is null ? null : MediaTypeHeaderValue.Parse(contentType);
        using var answer = await _service.Http.PutAsync("documents/good/sections/s", body, Cancellation);
        Assert.Equal(HttpStatusCode.NoContent, answer.StatusCode);
        Assert.Equal("öé", await _service.ReadAsync("good", "s"));
    }

    [Fact]
    public async Task A_body_at_the_limit_is_taken()
    {
        var text = new string('x', 65_536);
        await _service.WriteAsync("good", "long", text);
        Assert.Equal(text, await _service.ReadAsync("good", "long"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_body_over_the_limit_is_refused_with_the_limit(bool chunked)
    {
        using var request = new HttpRequestMessage(HttpMethod.Put, Section) { Content = new ByteArrayContent(new byte[65_537]) };
        request.Headers.TransferEncodingChunked = chunked;
        using var answer = await _service.Http.SendAsync(request, Cancellation);
        var problem = await Problem.OfAsync(answer, HttpStatusCode.RequestEntityTooLarge, "body-too-large");
        Assert.Equal(65_536, problem.Extensions["limit"].GetInt64());
    }

    [Theory]
    [InlineData("nothing")]
    [InlineData("documents")]
    [InlineData("documents/a/b")]
    [InlineData("documents/a/sections/b/c")]
    public async Task An_unknown_route_is_a_problem_of_its_own(string path)
    {
        using var answer = await _service.Http.GetAsync(path, Cancellation);
        await Problem.OfAsync(answer, HttpStatusCode.NotFound, "unknown-route");
    }

    [Theory]
    [InlineData("documents/bad/sections/%FF", 400, "invalid-name")]
    [InlineData("documents/bad/", 400, "invalid-name")]
    [InlineData("nothing", 404, "unknown-route")]
    public async Task A_browser_that_accepts_pages_alone_gets_the_problem_as_well(string path, int status, string type)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.Accept.ParseAdd("text/html");
        using var answer = await _service.Http.SendAsync(request, Cancellation);
        await Problem.OfAsync(answer, (HttpStatusCode)status, type);
        Assert.DoesNotContain("   at ", _service.Program.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_method_that_does_not_apply_is_refused()
    {
        using var answer = await _service.Http.PostAsync(Section, null, Cancellation);
        await Problem.OfAsync(answer, HttpStatusCode.MethodNotAllowed, "method-not-allowed");
        Assert.Contains("PUT", answer.Content.Headers.Allow);
    }
}
