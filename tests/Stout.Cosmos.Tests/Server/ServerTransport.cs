using System.Net;
using System.Net.Security;
using System.Text;
using System.Text.Json.Nodes;

namespace Stout.Cosmos.Tests.Server;

/// <summary>Corrects answers of the server from npm that differ from the real service's. It is no part of the product.</summary>
internal sealed class ServerTransport : DelegatingHandler
{
    private readonly Func<HttpRequestMessage, HttpResponseMessage?>? _onWrite;

    /// <param name="onWrite">Answers requests that create or change items in the server's place, unless it returns null.</param>
    public ServerTransport(Func<HttpRequestMessage, HttpResponseMessage?>? onWrite = null)
        : base(new SocketsHttpHandler
        {
            // The server has a self-signed certificate, and runs on this machine.
            SslOptions =
            {
                RemoteCertificateValidationCallback = static (stream, _, _, errors) =>
                    errors == SslPolicyErrors.None || stream is SslStream { TargetHostName: "127.0.0.1" },
            },
        }) => _onWrite = onWrite;

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var path = request.RequestUri!.AbsolutePath;
        if (request.Method != HttpMethod.Get && path.Contains("/docs", StringComparison.Ordinal) && _onWrite?.Invoke(request) is { } scripted)
        {
            scripted.RequestMessage = request;
            return scripted;
        }

        var response = await base.SendAsync(request, cancellationToken);
        if (request.Method == HttpMethod.Get && path == "/" && response.IsSuccessStatusCode)
            return await AsAccountOfAsync(response, "BoundedStaleness", cancellationToken);

        // For a missing item the server answers 500, since it reads the item's partition key before it checks that the item exists.
        if (request.Method == HttpMethod.Get && path.Contains("/docs/", StringComparison.Ordinal) && response.StatusCode == HttpStatusCode.InternalServerError)
            response.StatusCode = HttpStatusCode.NotFound;
        return response;
    }

    // The server reports the consistency Session, but it has a single copy of its data, so its reads are as consistent as the tests need.
    private static async Task<HttpResponseMessage> AsAccountOfAsync(HttpResponseMessage response, string consistency, CancellationToken cancellationToken)
    {
        var account = JsonNode.Parse(await response.Content.ReadAsStringAsync(cancellationToken))!;
        account["userConsistencyPolicy"]!["defaultConsistencyLevel"] = consistency;
        response.Content = new StringContent(account.ToJsonString(), Encoding.UTF8, "application/json");
        return response;
    }
}
