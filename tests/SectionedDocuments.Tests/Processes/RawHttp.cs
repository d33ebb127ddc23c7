using System.Net.Sockets;
using System.Text;

namespace SectionedDocuments.Tests.Processes;

/// <summary>Sends request targets unchanged. HttpClient would resolve dots and escapes in them.</summary>
internal static class RawHttp
{
    /// <summary>Sends a request, and returns the status and the whole answer.</summary>
    public static async Task<(int Status, string Answer)> SendAsync(Uri service, string method, string target, string body = "", string? host = null)
    {
        var cancellation = TestContext.Current.CancellationToken;
        using var client = new TcpClient();
        await client.ConnectAsync(service.Host, service.Port, cancellation);
        await using var stream = client.GetStream();
        var request = $"{method} {target} HTTP/1.1\r\nHost: {host ?? service.Authority}\r\nConnection: close\r\nContent-Length: {Encoding.UTF8.GetByteCount(body)}\r\n\r\n{body}";
        await stream.WriteAsync(Encoding.UTF8.GetBytes(request), cancellation);
        using var reader = new StreamReader(stream);
        var answer = await reader.ReadToEndAsync(cancellation);
        return (int.Parse(answer.AsSpan(9, 3), System.Globalization.CultureInfo.InvariantCulture), answer);
    }
}
