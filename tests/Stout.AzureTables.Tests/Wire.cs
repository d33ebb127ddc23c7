using System.Net;
using System.Text;
using Azure.Core.Pipeline;

namespace Stout.AzureTables.Tests;

/// <summary>The connection to the server. A test can count requests on it, answer in the server's place, or lose an answer.</summary>
internal sealed class Wire : DelegatingHandler
{
    private int _transactions;
    private int _queries;

    public Wire()
        : base(new SocketsHttpHandler())
    {
    }

    public HttpPipelineTransport Transport => new HttpClientTransport(this);

    /// <summary>Answers in the server's place, unless it returns null.</summary>
    public Func<HttpRequestMessage, HttpResponseMessage?>? Instead { get; set; }

    /// <summary>Called with the server's answer, before it comes back.</summary>
    public Func<HttpRequestMessage, Task>? After { get; set; }

    public int Transactions => Volatile.Read(ref _transactions);

    public int Queries => Volatile.Read(ref _queries);

    public static bool IsTransaction(HttpRequestMessage request) => request.RequestUri!.AbsolutePath.EndsWith("/$batch", StringComparison.Ordinal);

    public static HttpResponseMessage Answer(int status, string body, string contentType = "application/json;odata=minimalmetadata") => new((HttpStatusCode)status)
    {
        Content = new ByteArrayContent(Encoding.UTF8.GetBytes(body)) { Headers = { { "Content-Type", contentType } } },
    };

    public void ResetCounts() => _transactions = _queries = 0;

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref IsTransaction(request) ? ref _transactions : ref _queries);
        if (Instead?.Invoke(request) is { } answer)
        {
            answer.RequestMessage = request;
            return answer;
        }

        var response = await base.SendAsync(request, cancellationToken);
        if (After is not null)
            await After(request);
        return response;
    }
}
