using System.Net;
using System.Net.Http.Json;
using System.Net.Mime;
using System.Text;
using System.Text.Json.Serialization;

namespace Authors.Replay;

/// <summary>Calls the document service over HTTP. A call repeats its request until the service answers: all requests can be repeated without harm.</summary>
internal sealed class DocumentClient : IDisposable
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly HttpClient _http;
    private readonly TimeSpan _giveUpAfter;
    private long _requests;

    /// <param name="service">The service's address.</param>
    /// <param name="giveUpAfter">The time for which a request is repeated if it gets no answer, 503 or 504.</param>
    public DocumentClient(Uri service, TimeSpan giveUpAfter)
    {
        _http = new HttpClient(new SocketsHttpHandler { AutomaticDecompression = DecompressionMethods.None }) { BaseAddress = service };
        _giveUpAfter = giveUpAfter;
    }

    /// <summary>The number of HTTP requests so far, including repeated ones.</summary>
    public long Requests => Interlocked.Read(ref _requests);

    /// <exception cref="AuthorsException">The text has half a surrogate pair, or the service refuses it, or does not answer.</exception>
    public async Task PutAsync(string document, string section, string text, CancellationToken cancellationToken)
    {
        using var answer = await SendAsync(HttpMethod.Put, PathOf(document, section), Encode(text), cancellationToken);
        Expect(answer, HttpStatusCode.NoContent);
    }

    /// <summary>Removes a section. The answer 404 is a success, too: an earlier attempt, whose answer was lost, has removed the section.</summary>
    public async Task DeleteAsync(string document, string section, CancellationToken cancellationToken)
    {
        using var answer = await SendAsync(HttpMethod.Delete, PathOf(document, section), null, cancellationToken);
        Expect(answer, HttpStatusCode.NoContent, HttpStatusCode.NotFound);
    }

    public async Task DeleteDocumentAsync(string document, CancellationToken cancellationToken)
    {
        using var answer = await SendAsync(HttpMethod.Delete, PathOf(document), null, cancellationToken);
        Expect(answer, HttpStatusCode.NoContent, HttpStatusCode.NotFound);
    }

    /// <summary>The document's text: its sections in the ordinal order of their names; empty if there is no document.</summary>
    public async Task<string> ReadAsync(string document, CancellationToken cancellationToken)
    {
        using var answer = await SendAsync(HttpMethod.Get, PathOf(document) + "/sections", null, cancellationToken);
        Expect(answer, HttpStatusCode.OK);
        var sections = await answer.Content.ReadFromJsonAsync<List<StoredSection>>(cancellationToken);
        return string.Concat(sections!.OrderBy(section => section.Name, StringComparer.Ordinal).Select(section => section.Text));
    }

    public async Task<StoreFigures> ReadFiguresAsync(CancellationToken cancellationToken)
    {
        using var answer = await SendAsync(HttpMethod.Get, "health", null, cancellationToken);
        Expect(answer, HttpStatusCode.OK);
        return (await answer.Content.ReadFromJsonAsync<Health>(cancellationToken))!.Statistics;
    }

    public void Dispose() => _http.Dispose();

    private static string PathOf(string document) => "documents/" + Uri.EscapeDataString(document);

    private static string PathOf(string document, string section) => PathOf(document) + "/sections/" + Uri.EscapeDataString(section);

    private static byte[] Encode(string text)
    {
        try
        {
            return Strict.GetBytes(text);
        }
        catch (EncoderFallbackException error)
        {
            throw new AuthorsException("The history leaves half a surrogate pair in the text.", error);
        }
    }

    private async Task<HttpResponseMessage> SendAsync(HttpMethod method, string path, byte[]? body, CancellationToken cancellationToken)
    {
        var backoff = new Backoff(_giveUpAfter);
        while (true)
        {
            using var request = new HttpRequestMessage(method, path);
            if (body is not null)
                request.Content = new ByteArrayContent(body) { Headers = { ContentType = new(MediaTypeNames.Text.Plain, "utf-8") } };
            Interlocked.Increment(ref _requests);
            try
            {
                var answer = await _http.SendAsync(request, cancellationToken);
                // After 504 the change may have been made. Each section has one author, so a repetition does no harm.
                if (answer.StatusCode is not (HttpStatusCode.ServiceUnavailable or HttpStatusCode.GatewayTimeout or HttpStatusCode.TooManyRequests))
                    return answer;
                var retryAfter = answer.Headers.RetryAfter?.Delta;
                answer.Dispose();
                await backoff.WaitAsync(retryAfter, $"the service answers {(int)answer.StatusCode}", cancellationToken);
            }
            catch (HttpRequestException error)
            {
                await backoff.WaitAsync(null, error.Message, cancellationToken);
            }
        }
    }

    private static void Expect(HttpResponseMessage answer, params ReadOnlySpan<HttpStatusCode> allowed)
    {
        if (!allowed.Contains(answer.StatusCode))
            throw new AuthorsException($"The service answered {(int)answer.StatusCode} to {answer.RequestMessage?.Method} {answer.RequestMessage?.RequestUri}.");
    }

    private sealed record StoredSection(string Name, string Text);

    private sealed record Health([property: JsonRequired] StoreFigures Statistics);
}

/// <summary>The service's writes to its store so far.</summary>
internal sealed record StoreFigures(long KeysWritten, long WriteRequests);
