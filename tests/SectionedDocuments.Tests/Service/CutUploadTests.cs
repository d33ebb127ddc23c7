using System.Net.Sockets;
using System.Text;
using SectionedDocuments.Tests.Processes;

namespace SectionedDocuments.Tests.Service;

/// <summary>A client that disconnects during an upload is no fault of the service, and is not logged.</summary>
public sealed class CutUploadTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Cut_uploads_change_nothing_and_log_nothing()
    {
        using (var before = await RunningService.StartAsync(_folder))
            before.Program.Kill(); // The next start finds the file, whose creation would log a warning.
        using var service = await RunningService.StartAsync(_folder);
        await service.WriteAsync("a", "s", "as it was");
        foreach (var (header, body) in new[] { ("Content-Length: 1000", "abc"), ("Content-Length: 1000", ""), ("Transfer-Encoding: chunked", "5\r\nabc"), ("Transfer-Encoding: chunked", "zz\r\nabc") })
        {
            await CutAsync(service.Address, header, body, reset: false);
            await CutAsync(service.Address, header, body, reset: true);
        }

        Assert.Equal("as it was", await service.ReadAsync("a", "s"));
        service.Program.Terminate();
        Assert.Equal(0, await service.Program.ExitAsync());
        Assert.DoesNotContain("   at ", service.Program.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("fail:", service.Program.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("warn:", service.Program.Output, StringComparison.Ordinal);
    }

    /// <summary>Sends a part of a body after the service has requested the body, and disconnects.</summary>
    private static async Task CutAsync(Uri service, string header, string body, bool reset)
    {
        var cancellation = TestContext.Current.CancellationToken;
        using var client = new TcpClient();
        await client.ConnectAsync(service.Host, service.Port, cancellation);
        var stream = client.GetStream();
        await stream.WriteAsync(
            Encoding.ASCII.GetBytes($"PUT /documents/a/sections/s HTTP/1.1\r\nHost: {service.Authority}\r\nExpect: 100-continue\r\n{header}\r\n\r\n"), cancellation);
        var answer = new byte[100];
        var length = await stream.ReadAsync(answer, cancellation);
        Assert.StartsWith("HTTP/1.1 100", Encoding.ASCII.GetString(answer, 0, length), StringComparison.Ordinal);
        await stream.WriteAsync(Encoding.ASCII.GetBytes(body), cancellation);
        if (reset)
            client.LingerState = new LingerOption(enable: true, seconds: 0);
        client.Close();
    }
}
